// The tables that this device has sat at, the newest first.
import { read, write } from './settings.svelte';
import type { GameName } from './types';

export interface Remembered {
  table: string;
  game: GameName;
  variant: string;
  at: number;
}

const PLACE = 'tilery.tables';
const MOST = 30;

export function remembered(): Remembered[] {
  return read<Remembered[]>(PLACE, []);
}

export function remember(table: string, game: GameName, variant: string): void {
  const others = remembered().filter((one) => one.table !== table);
  write(PLACE, [{ table, game, variant, at: Date.now() }, ...others].slice(0, MOST));
}

export function forget(table: string): void {
  write(
    PLACE,
    remembered().filter((one) => one.table !== table),
  );
}
