// The list of my tables: what is worth knowing of each, in which order, and asked for without haste.
import type { Remembered, Seen } from '../lib/memory';
import type { State } from '../lib/types';

export function seenOf(state: State): Seen {
  return {
    status: state.status,
    seats: state.seats.map(({ kind, name, bot }) => ({ kind, name, bot })),
    you: state.you,
    actor: state.actor,
    ...(state.result ? { scores: state.result.scores, winners: state.result.winners } : {}),
  };
}

export function isMyTurn(seen: Seen | undefined): boolean {
  return seen?.status === 'playing' && seen.actor !== null && seen.you.includes(seen.actor);
}

export function isDone(seen: Seen | undefined): boolean {
  return seen !== undefined && ['over', 'closed', 'none'].includes(seen.status);
}

// What waits for me comes first, then what goes on, then what is over; the newest first among equals.
export function inOrder(tables: Remembered[]): Remembered[] {
  const rank = ({ seen }: Remembered) => (isMyTurn(seen) ? 0 : isDone(seen) ? 2 : 1);
  return [...tables].sort((one, other) => rank(one) - rank(other) || other.at - one.at);
}

// Who else sits there; where several seats are mine (one device), everybody.
export function others({ seats, you }: Seen): Seen['seats'] {
  return seats.filter((seat, at) => seat.kind !== 'open' && (you.length > 1 || !you.includes(at)));
}

export type Outcome = 'won' | 'shared' | 'lost' | 'over';

// How it ended for me; where nobody or everybody is me, it is just over.
export function outcome({ seats, you, winners = [] }: Seen): Outcome {
  const mine = winners.filter((seat) => you.includes(seat));
  const people = seats.filter((seat) => seat.kind === 'person').length;
  if (!you.length || (you.length > 1 && you.length === people)) return 'over';
  if (!mine.length) return 'lost';
  return mine.length === winners.length ? 'won' : 'shared';
}

// Do something for each, a few at a time.
export async function gently<T>(things: T[], work: (thing: T) => Promise<void>, atOnce = 3): Promise<void> {
  const left = [...things];
  const worker = async () => {
    for (let thing = left.shift(); thing !== undefined; thing = left.shift()) await work(thing);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, things.length) }, worker));
}

// The name of a table in what somebody pastes: a link, a path, or the name alone. '' where there is none.
export function tableIn(text: string): string {
  const plain = text.trim().toLowerCase();
  if (/^[a-z0-9]{12}$/.test(plain)) return plain;
  return /(?:^|\/)t\/([a-z0-9]{12})(?![a-z0-9])/.exec(plain)?.[1] ?? '';
}

// The private part of a pasted link, which stands for a seat: '' where there is none.
export function seatIn(text: string): string {
  return /#seat=([0-9a-f]{32})$/.exec(text.trim().toLowerCase())?.[1] ?? '';
}
