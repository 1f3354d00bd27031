// What people read, in their language. A text may have plural forms by CLDR category, chosen by `n`.
import { settings } from './settings.svelte';

export const LANGUAGES = { en: 'English', ru: 'Русский', uk: 'Українська', ro: 'Română' } as const;
export type Language = keyof typeof LANGUAGES;
export type Entry = string | Record<string, string>;
export type Catalogue = Record<string, Entry>;

const loaders: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: () => import('../words/en'),
  ru: () => import('../words/ru'),
  uk: () => import('../words/uk'),
  ro: () => import('../words/ro'),
};

const current = $state<{ language: Language; words: Catalogue }>({ language: 'en', words: {} });

export function wanted(languages: readonly string[], chosen: string): Language {
  for (const language of [chosen, ...languages]) {
    const short = language.slice(0, 2).toLowerCase();
    if (short in LANGUAGES) return short as Language;
  }
  return 'en';
}

// A language that cannot be loaded now (no network) leaves what is spoken already, or English.
export async function speak(): Promise<void> {
  let language = wanted(navigator.languages, settings.language);
  const speaks = Object.keys(current.words).length > 0;
  if (current.language === language && speaks) return;
  let words: Catalogue;
  try {
    words = (await loaders[language]()).default;
  } catch {
    if (speaks) return;
    language = 'en';
    words = (await loaders.en()).default;
  }
  current.language = language;
  current.words = words;
  document.documentElement.lang = language;
}

export function language(): Language {
  return current.language;
}

export function fill(entry: Entry, language: string, values: Record<string, string | number>): string {
  let text: string;
  if (typeof entry === 'string') text = entry;
  else {
    const form = new Intl.PluralRules(language).select(Number(values.n ?? 0));
    text = entry[form] ?? entry.other ?? Object.values(entry)[0] ?? '';
  }
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}

// The text behind a key; the key itself where there is none, which a test does not let happen.
export function t(key: string, values: Record<string, string | number> = {}): string {
  const entry = current.words[key];
  return entry === undefined ? key : fill(entry, current.language, values);
}

export function has(key: string): boolean {
  return key in current.words;
}

export function number(value: number, digits = 0): string {
  return value.toLocaleString(current.language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
