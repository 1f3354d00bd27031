// Checks the catalogues: every text exists in every language, with the right plural forms, and every key is used.
import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Message } from '../src/lib/i18n.svelte';

type Nested = { [key: string]: Message | Nested };
const languages = Object.keys(LANGUAGES);
const CATEGORIES = new Set(['zero', 'one', 'two', 'few', 'many', 'other']);

function read(files: Record<string, { default: unknown }>): Record<string, Record<string, Nested>> {
  const result: Record<string, Record<string, Nested>> = {};
  for (const [path, { default: content }] of Object.entries(files)) {
    const [language = '', file = ''] = path
      .replace(/\.json$/, '')
      .split('/')
      .slice(-2);
    (result[file] ??= {})[language] = content as Nested;
  }
  return result;
}
const catalogues = read(import.meta.glob('../src/translations/*/*.json', { eager: true }));
// Without chocolatier.json: its keys are word forms, which differ between languages.
const tourTexts = read(
  import.meta.glob(['../src/learn/translations/*/*.json', '!**/chocolatier.json'], { eager: true }),
);
const sources = import.meta.glob<string>('../src/**/*.{ts,svelte}', { eager: true, query: '?raw', import: 'default' });
const all = Object.values(sources).join('\n');

const isPlural = (entry: unknown): entry is Record<string, string> =>
  typeof entry === 'object' && entry !== null && Object.keys(entry).every((key) => CATEGORIES.has(key));

// The entries of a catalogue by their full keys: in the texts of tours, entries are nested in steps.
function entries(catalogue: Nested, before = ''): Map<string, Message> {
  const messages = new Map<string, Message>();
  for (const [key, entry] of Object.entries(catalogue)) {
    if (typeof entry === 'string' || isPlural(entry)) messages.set(before + key, entry);
    else for (const [name, inner] of entries(entry, `${before}${key}/`)) messages.set(name, inner);
  }
  return messages;
}
const forms = (entry: Message) => (typeof entry === 'string' ? [entry] : Object.values(entry));
const values = (entry: Message) =>
  [...new Set(forms(entry).flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)))].sort();

const FOREIGN: Record<string, RegExp> = {
  en: /[\u0400-\u04ff]/,
  ru: /[іїєґІЇЄҐ]/,
  uk: /[ыэёъЫЭЁЪ]/,
  ro: /[şţŞŢ\u0400-\u04ff]/, // s and t with a cedilla: Romanian uses a comma below
};

const named = Object.entries(tourTexts).map(([name, content]) => [`learn/${name}`, content] as const);

describe.each([...Object.entries(catalogues), ...named])('the catalogue %s', (_, byLanguage) => {
  const english = entries(byLanguage.en ?? {});

  it('exists in every language', () => expect(Object.keys(byLanguage).sort()).toEqual([...languages].sort()));

  it.each(languages)('is complete in %s', (language) =>
    expect([...entries(byLanguage[language] ?? {}).keys()].sort()).toEqual([...english.keys()].sort()),
  );

  it.each(languages)('has no empty or padded text in %s', (language) => {
    for (const [key, entry] of entries(byLanguage[language] ?? {}))
      for (const form of forms(entry)) expect(form.trim() && form === form.trim(), key).toBe(true);
  });

  it.each(languages)('has the same placeholders in %s', (language) => {
    for (const [key, entry] of entries(byLanguage[language] ?? {}))
      expect(values(entry), key).toEqual(values(english.get(key) ?? ''));
  });

  it.each(languages)('has the plurals of %s', (language) => {
    const wanted = [...new Intl.PluralRules(language).resolvedOptions().pluralCategories].sort();
    for (const [key, entry] of entries(byLanguage[language] ?? {}))
      if (isPlural(entry)) expect(Object.keys(entry).sort(), key).toEqual(wanted);
  });

  it.each(languages)('has plural forms in %s if it has them in English', (language) => {
    for (const [key, entry] of entries(byLanguage[language] ?? {}))
      expect(isPlural(entry), key).toBe(isPlural(english.get(key)));
  });

  it.each(languages)('is written with the letters of %s', (language) => {
    for (const [key, entry] of entries(byLanguage[language] ?? {}))
      for (const form of forms(entry)) expect(FOREIGN[language]!.test(form), `${key}: ${form}`).toBe(false);
  });
});

const known = new Set(Object.values(catalogues).flatMap(({ en = {} }) => Object.keys(en)));
const prefixes = new Set([...all.matchAll(/`([a-z]+\.[\w.-]*)\$\{/g)].map(([, prefix]) => prefix!));

describe.each(Object.entries(catalogues))('the keys of %s', (file, byLanguage) => {
  const keys = Object.keys(byLanguage.en ?? {});

  it('begin with its name', () => expect(keys.filter((key) => !key.startsWith(`${file}.`))).toEqual([]));

  it('are all used', () => {
    const isUsed = (key: string) =>
      [`'${key}'`, `"${key}"`, `\`${key}\``].some((text) => all.includes(text)) ||
      [...prefixes].some((prefix) => prefix.endsWith('.') && key.startsWith(prefix));
    expect(keys.filter((key) => !isUsed(key))).toEqual([]);
  });
});

describe('a key that the sources use', () => {
  it('is in the catalogues', () => {
    const used = [...all.matchAll(/\bt\(\s*['"]([^'"]+)['"]/g)].map(([, key]) => key!);
    expect(used.filter((key) => !known.has(key))).toEqual([]);
  });

  it('is in the catalogues if it is a literal in a constant', () => {
    const names = Object.keys(catalogues).join('|');
    const literal = new RegExp(`['"\`]((?:${names})\\.[a-z][\\w.-]*)['"\`]`, 'g');
    const literals = [...all.matchAll(literal)].map(([, key]) => key!);
    const isFile = (text: string) => /\.(svg|png|json|ts|txt|svelte)$/.test(text);
    expect(literals.filter((key) => !known.has(key) && !isFile(key))).toEqual([]);
  });

  it('has a prefix that ends with a dot and matches some key', () => {
    const used = [...all.matchAll(/\bt\(\s*`([^`$]*)\$\{/g)].map(([, prefix]) => prefix!);
    expect(used.filter((prefix) => !prefix.endsWith('.'))).toEqual([]);
    expect(used.filter((prefix) => ![...known].some((key) => key.startsWith(prefix)))).toEqual([]);
  });
});
