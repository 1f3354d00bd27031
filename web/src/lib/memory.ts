// The tables that this device has sat at, the newest first, and how each of them stood when it was last looked at.
import { read, write } from './settings.svelte';
import type { GameName, State } from './types';

export interface Seen {
  status: State['status'] | 'none'; // none: the server does not know it any more
  seats: { kind: string; name: string; bot: string }[];
  you: number[];
  actor: number | null;
  scores?: number[];
  winners?: number[];
}

export interface Remembered {
  table: string;
  game: GameName;
  variant: string;
  at: number;
  seen?: Seen;
}

const PLACE = 'tilery.tables';
const MOST = 30;

export function remembered(): Remembered[] {
  return read<Remembered[]>(PLACE, []);
}

export function remember(table: string, game: GameName, variant: string): void {
  const all = remembered();
  const seen = all.find((one) => one.table === table)?.seen;
  const others = all.filter((one) => one.table !== table);
  write(PLACE, [{ table, game, variant, at: Date.now(), ...(seen ? { seen } : {}) }, ...others].slice(0, MOST));
}

// How a table stands now; only for one that is remembered.
export function note(table: string, seen: Seen): void {
  write(
    PLACE,
    remembered().map((one) => (one.table === table ? { ...one, seen } : one)),
  );
}

export function forget(table: string): void {
  write(
    PLACE,
    remembered().filter((one) => one.table !== table),
  );
}
