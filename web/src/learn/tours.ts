// Progress in the tours, stored on the device.
import { loadStored, saveStored } from '../lib/storage';
import { textOf, withParts } from '../lib/moves';
import type { GameName, Move } from '../lib/types';
import tours from './tours.json';

export interface Progress {
  at: string; // the step to continue with, '' for the first one
  done: string[]; // completed steps
  finished: boolean;
}

const STORAGE_KEY = 'tilery.learn';
const NONE: Progress = { at: '', done: [], finished: false };

export function loadProgress(game: GameName): Progress {
  return { ...NONE, ...loadStored<Record<string, Partial<Progress>>>(STORAGE_KEY, {})[game] };
}

export function saveProgress(game: GameName, now: Progress): void {
  saveStored(STORAGE_KEY, { ...loadStored<Record<string, Partial<Progress>>>(STORAGE_KEY, {}), [game]: now });
}

// The tours: positions, things to point at and moves to make. tests/web/test_tours.py checks them against the rules.

// A move in notation, or the parts that it must have, such as { kind: 'lay', level: 1 }.
export type Wanted = string | Record<string, unknown>;

export interface TourStep {
  id: string;
  position: string;
  focus?: string[];
  do?: Wanted[][]; // by ply: the wanted moves
  figures?: Record<string, number>; // numbers in its texts, by placeholder
}

const TOURS = tours as unknown as Record<GameName, TourStep[]>;
export const tourOf = (game: GameName): TourStep[] => TOURS[game] ?? [];

// The numbers that the texts of a step may use.
export function valuesOf(step: TourStep): Record<string, number> {
  const own = Object.entries(step).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  return { ...Object.fromEntries(own), ...step.figures };
}

export function isWanted(wanted: Wanted[], move: Move, moveParts: Record<string, readonly string[]>): boolean {
  const parts = withParts<Record<string, unknown>>(moveParts, move);
  return wanted.some((one) =>
    typeof one === 'string'
      ? one === textOf(move)
      : Object.entries(one).every(([name, value]) => parts[name] === value),
  );
}
