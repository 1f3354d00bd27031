// The games that the web client can show: a folder for each family of games, and a line for it in GAMES. What only some
// pages need are parts, files with the same name in every folder: `play.ts` (boards and words), `Picture.svelte`,
// `OptionFields.svelte`, `Emblem.svelte` and `drawings.ts` (figures of the rules).
import type { Switch } from '../lib/settings.svelte';
import { t } from '../lib/i18n.svelte';
import type { GameName } from '../lib/types';
import { azul, chocolatier } from './azul';
import { schokoly } from './schokoly';

export type Options = Record<string, unknown>;
export interface GameModule<O = Options> {
  name: GameName;
  family: string; // its folder here, and the name of its texts and rules in learn/; editions of a game share it
  version?: number; // of its notation, in the tag Tilery of a record; 1 if it is missing
  terms?: string; // the file of the terms in which this edition differs
  record: () => Promise<{ default: string }>; // an example game
  position?: () => Promise<{ default: string }>; // an example position
  settings: Switch[]; // of the board, useful in this game only
  options: O; // the options of its variants, with the defaults of the form; editions share them
  variant(options: O, seats: number): string[]; // the chosen ones in notation, without the number of seats
  optionWords(name: string, value: string): string; // one of them in words, '' if it is not worth mentioning
  firstSeatStarts(options: O): boolean;
  hasTeams(seats: number): boolean; // whether players who sit opposite each other are partners
}

// The types of their options differ, and are known to each game only.
export const GAMES = [azul, chocolatier, schokoly] as unknown[] as GameModule[];

export const gameOf = (name: GameName): GameModule | undefined => GAMES.find((game) => game.name === name);

export const partsByFamily = <T>(files: Record<string, T>): Map<string, T> =>
  new Map(Object.entries(files).map(([path, part]) => [path.split('/')[1]!, part]));

export const partOf = <T>(parts: Map<string, T>, game: GameName): T | undefined =>
  parts.get(gameOf(game)?.family ?? '');

// "2,grey,specials=game" in words. The options of an unknown game are shown as they are.
export function variantLabels(game: GameName, variant: string): string[] {
  const [seats = '2', ...options] = variant.split(',');
  const words = options.map((option) => {
    const [name = '', value = ''] = option.split('=');
    return gameOf(game)?.optionWords(name, value) ?? option;
  });
  return [t('page.players', { n: Number(seats) }), ...words.filter(Boolean)];
}
