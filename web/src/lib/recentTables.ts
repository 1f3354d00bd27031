// The tables at which this device has a seat, the newest first, each with the state in which it was last seen.
import { playedSeats } from './playedSeats';
import { loadStored, saveStored } from './storage';
import type { GameName, State } from './types';

export interface TableSummary {
  status: State['status'] | 'none'; // none: the server no longer has the table
  seats: { kind: string; name: string; bot: string }[];
  you: number[];
  actor: number | null;
  scores?: number[];
  winners?: number[];
}

export interface RecentTable {
  table: string;
  game: GameName;
  variant: string;
  at: number;
  seen?: TableSummary;
}

const STORAGE_KEY = 'tilery.tables';
const MAX_TABLES = 30;

export function recentTables(): RecentTable[] {
  return loadStored<RecentTable[]>(STORAGE_KEY, []);
}

export function rememberTable(table: string, game: GameName, variant: string): void {
  const all = recentTables();
  const seen = all.find((one) => one.table === table)?.seen;
  const others = all.filter((one) => one.table !== table);
  saveStored(
    STORAGE_KEY,
    [{ table, game, variant, at: Date.now(), ...(seen ? { seen } : {}) }, ...others].slice(0, MAX_TABLES),
  );
}

// Update the stored state of a table that is in the list.
export function updateSummary(table: string, seen: TableSummary): void {
  saveStored(
    STORAGE_KEY,
    recentTables().map((one) => (one.table === table ? { ...one, seen } : one)),
  );
}

export function forgetTable(table: string): void {
  saveStored(
    STORAGE_KEY,
    recentTables().filter((one) => one.table !== table),
  );
}

// The list of my tables: a summary of each, their order, and updates a few at a time.

export function summaryOf(state: State): TableSummary {
  return {
    status: state.status,
    seats: state.seats.map(({ kind, name, bot }) => ({ kind, name, bot })),
    you: state.you,
    actor: state.actor,
    ...(state.result ? { scores: state.result.scores, winners: state.result.winners } : {}),
  };
}

export function isMyTurn(seen: TableSummary | undefined): boolean {
  return seen?.status === 'playing' && seen.actor !== null && playedSeats(seen).includes(seen.actor);
}

export function isDone(seen: TableSummary | undefined): boolean {
  return seen !== undefined && ['over', 'closed', 'none'].includes(seen.status);
}

// Tables where it is my turn come first, then other running games, then finished ones; among equals, the newest first.
export function byUrgency(tables: RecentTable[]): RecentTable[] {
  const rank = ({ seen }: RecentTable) => (isMyTurn(seen) ? 0 : isDone(seen) ? 2 : 1);
  return [...tables].sort((one, other) => rank(one) - rank(other) || other.at - one.at);
}

// The other players; if several seats are mine (one device), everybody.
export function others({ seats, you }: TableSummary): TableSummary['seats'] {
  return seats.filter((seat, at) => seat.kind !== 'open' && (you.length > 1 || !you.includes(at)));
}

export type Outcome = 'won' | 'shared' | 'lost' | 'over';

// How it ended for me; just "over" if none or all of the seats are mine.
export function outcome({ seats, you, winners = [] }: TableSummary): Outcome {
  const mine = winners.filter((seat) => you.includes(seat));
  const people = seats.filter((seat) => seat.kind === 'person').length;
  if (!you.length || (you.length > 1 && you.length === people)) return 'over';
  if (!mine.length) return 'lost';
  return mine.length === winners.length ? 'won' : 'shared';
}

// Run a task for each item, a few at a time.
export async function forEachLimited<T>(things: T[], work: (thing: T) => Promise<void>, atOnce = 3): Promise<void> {
  const left = [...things];
  const worker = async () => {
    for (let thing = left.shift(); thing !== undefined; thing = left.shift()) await work(thing);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, things.length) }, worker));
}
