// How far somebody has come in the tours, kept on the device.
import { read, write } from '../lib/settings.svelte';
import type { GameName } from '../lib/types';

export interface Progress {
  at: string; // the step to go on with, '' for the first one
  done: string[]; // steps that were seen through
  finished: boolean;
}

const PLACE = 'tilery.learn';
const NONE: Progress = { at: '', done: [], finished: false };

export function progress(game: GameName): Progress {
  return { ...NONE, ...read<Record<string, Partial<Progress>>>(PLACE, {})[game] };
}

export function keepProgress(game: GameName, now: Progress): void {
  write(PLACE, { ...read<Record<string, Partial<Progress>>>(PLACE, {}), [game]: now });
}
