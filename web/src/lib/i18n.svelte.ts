// Translated texts. A text may have plural forms by CLDR category, chosen by `n`.
import type { Message, Translations } from '../translations/types';
import { settings } from './settings.svelte';

export type { Message, Translations };

export const LANGUAGES = { en: 'English', ru: 'Русский', uk: 'Українська', ro: 'Română' } as const;
export type Language = keyof typeof LANGUAGES;

const loaders: Record<Language, () => Promise<{ default: Translations }>> = {
  en: () => import('../translations/en'),
  ru: () => import('../translations/ru'),
  uk: () => import('../translations/uk'),
  ro: () => import('../translations/ro'),
};

// The sentences of refusals are many, and few people see one: they are loaded with the first error.
const refusals = import.meta.glob<Translations>('../translations/*/refusals.json', { import: 'default' });

interface Words {
  language: Language;
  words: Translations;
  refusals: Translations; // {} until they are needed
}
const current = $state<Words>({ language: 'en', words: {}, refusals: {} });
let needsRefusals = false;

export function pickLanguage(languages: readonly string[], chosen: string): Language {
  for (const language of [chosen, ...languages]) {
    const short = language.slice(0, 2).toLowerCase();
    if (short in LANGUAGES) return short as Language;
  }
  return 'en';
}

// Load the language of the settings or the browser. If that fails (no network), the current one stays, or English.
export async function loadTranslations(): Promise<void> {
  let language = pickLanguage(navigator.languages, settings.language);
  const isLoaded = Object.keys(current.words).length > 0;
  if (current.language === language && isLoaded) return;
  let words: Translations;
  try {
    words = (await loaders[language]()).default;
  } catch {
    if (isLoaded) return;
    language = 'en';
    words = (await loaders.en()).default;
  }
  current.language = language;
  current.words = words;
  current.refusals = {};
  document.documentElement.lang = language;
  if (needsRefusals) await loadRefusals();
}

// Load the sentences of refusals before an error is shown. If that fails, errors keep their English texts.
export async function loadRefusals(): Promise<void> {
  needsRefusals = true;
  const { language } = current;
  if (Object.keys(current.refusals).length) return;
  const words = await refusals[`../translations/${language}/refusals.json`]!().catch(() => ({}));
  if (language === current.language) current.refusals = words;
}

export function language(): Language {
  return current.language;
}

// Making these rules takes longer than using them, and a log has hundreds of numbers.
const pluralRules = new Map<string, Intl.PluralRules>();
function pluralRulesOf(language: string): Intl.PluralRules {
  const rules = pluralRules.get(language) ?? new Intl.PluralRules(language);
  pluralRules.set(language, rules);
  return rules;
}

export function formatMessage(entry: Message, language: string, values: Record<string, string | number>): string {
  let text: string;
  if (typeof entry === 'string') text = entry;
  else {
    const form = pluralRulesOf(language).select(Number(values.n ?? 0));
    text = entry[form] ?? entry.other ?? Object.values(entry)[0] ?? '';
  }
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}

// The text of a key, or the key itself if there is no text (a test checks that there always is).
export function t(key: string, values: Record<string, string | number> = {}): string {
  const entry = current.words[key] ?? current.refusals[key];
  return entry === undefined ? key : formatMessage(entry, current.language, values);
}

export function hasTranslation(key: string): boolean {
  return key in current.words || key in current.refusals;
}

export function formatNumber(value: number, digits = 0): string {
  return value.toLocaleString(current.language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
