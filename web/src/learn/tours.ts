// Progress in the tours, stored on the device.
import { loadStored, saveStored } from '../lib/storage';
import type { GameName } from '../lib/types';
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

export interface TourStep {
  id: string;
  position: string;
  focus?: string[];
  do?: string[][]; // by ply: the wanted moves; "*" stands for anything but the sign of the second level
  figures?: Record<string, number>; // numbers in its texts, by placeholder
}

const TOURS = tours as unknown as Record<GameName, TourStep[]>;
export const tourOf = (game: GameName): TourStep[] => TOURS[game] ?? [];

// The numbers that the texts of a step may use.
export function valuesOf(step: TourStep): Record<string, number> {
  const own = Object.entries(step).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  return { ...Object.fromEntries(own), ...step.figures };
}

export function isWanted(wanted: string[], move: string): boolean {
  return wanted.some((one) => {
    const parts = one.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('[^^]*')}$`).test(move);
  });
}
