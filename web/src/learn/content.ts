// The texts of tours and rules: separate catalogues, loaded on demand.
import type { GameModule } from '../boards/registry';
import { formatMessage, type Translations, type Language } from '../lib/i18n.svelte';
import { forEdition, type Forms } from './markup';
import { parseReference, type Reference } from './reference';

export interface StepTexts {
  title: string;
  text: string;
  task?: string; // what to do
  done?: string; // what the move has done
}

const translations = import.meta.glob<{ default: unknown }>('./translations/*/*.json');
const rules = import.meta.glob<string>('./rules/*/*.md', { query: '?raw', import: 'default' });

async function file<T>(language: Language, name: string): Promise<T> {
  return (await translations[`./translations/${language}/${name}.json`]!()).default as T;
}

export type Translate = (key: string, values?: Record<string, string | number>) => string;

// The texts of buttons and headings, as a function from key and values to text.
export async function pageTexts(language: Language): Promise<Translate> {
  const entries = await file<Translations>(language, 'page');
  return (key, values = {}) => formatMessage(entries[key] ?? key, language, values);
}

const termsOf = (language: Language, { terms }: GameModule): Promise<Forms> | null =>
  terms ? file<Forms>(language, terms) : null;

export async function tourTexts(language: Language, game: GameModule): Promise<Record<string, StepTexts>> {
  const [steps, forms] = await Promise.all([
    file<Record<string, StepTexts>>(language, game.family),
    termsOf(language, game),
  ]);
  const translate = (one: StepTexts) => {
    const parts = Object.entries(one).map(([part, text]) => [part, forEdition(text, forms)]);
    return Object.fromEntries(parts) as unknown as StepTexts;
  };
  return Object.fromEntries(Object.entries(steps).map(([id, one]) => [id, translate(one)]));
}

export async function loadRules(language: Language, game: GameModule): Promise<Reference> {
  const [text, forms] = await Promise.all([rules[`./rules/${language}/${game.family}.md`]!(), termsOf(language, game)]);
  return parseReference(forEdition(text, forms));
}
