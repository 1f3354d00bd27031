// The words of tours and references: catalogues of their own, loaded when they are needed.
import type { GameName } from '../lib/types';
import { fill, type Catalogue, type Language } from '../lib/words.svelte';
import { edition, type Forms } from './edition';
import { reference, type Reference } from './reference';

export interface StepWords {
  title: string;
  text: string;
  task?: string; // what to do
  done?: string; // what has happened then
}

const words = import.meta.glob<{ default: unknown }>('./words/*/*.json');
const rules = import.meta.glob<string>('./rules/*/*.md', { query: '?raw', import: 'default' });

async function file<T>(language: Language, name: string): Promise<T> {
  return (await words[`./words/${language}/${name}.json`]!()).default as T;
}

const family = (game: GameName): string => (game === 'schokoly' ? 'schokoly' : 'azul');

export type Say = (key: string, values?: Record<string, string | number>) => string;

// Buttons and headings of these pages.
export async function pageWords(language: Language): Promise<Say> {
  const entries = await file<Catalogue>(language, 'page');
  return (key, values = {}) => fill(entries[key] ?? key, language, values);
}

export async function tourWords(language: Language, game: GameName): Promise<Record<string, StepWords>> {
  const [steps, forms] = await Promise.all([
    file<Record<string, StepWords>>(language, family(game)),
    file<Forms>(language, 'chocolatier'),
  ]);
  const told = (one: StepWords) => {
    const parts = Object.entries(one).map(([part, text]) => [part, edition(text, game, forms)]);
    return Object.fromEntries(parts) as unknown as StepWords;
  };
  return Object.fromEntries(Object.entries(steps).map(([id, one]) => [id, told(one)]));
}

export async function rulesWords(language: Language, game: GameName): Promise<Reference> {
  const [text, forms] = await Promise.all([
    rules[`./rules/${language}/${family(game)}.md`]!(),
    file<Forms>(language, 'chocolatier'),
  ]);
  return reference(edition(text, game, forms));
}
