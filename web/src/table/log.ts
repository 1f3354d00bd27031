// The move log: plies as entries, with what chance did in a row as one of them.
import type { GameName, Ply } from '../lib/types';

export interface MoveEntry {
  kind: 'move';
  ply: number; // how many plies there are with this one: the address of the position after it
  seat: number;
  move: string;
}

export interface DealsEntry {
  kind: 'deals';
  ply: number;
  round: number; // that begins here; 0 where a game has no rounds
  deals: string[];
}

export type Entry = MoveEntry | DealsEntry;

export function entriesOf(game: GameName, history: readonly Ply[]): Entry[] {
  const entries: Entry[] = [];
  let round = 0;
  history.forEach(([seat, move], at) => {
    const ply = at + 1;
    const before = entries.at(-1);
    if (seat >= 0) entries.push({ kind: 'move', ply, seat, move });
    else if (before?.kind === 'deals') {
      before.deals.push(move);
      before.ply = ply;
    } else {
      if (game !== 'schokoly') round += 1;
      entries.push({ kind: 'deals', ply, round, deals: [move] });
    }
  });
  return entries;
}

const NAMED: Record<string, string> = { dark: 'D', milk: 'M', white: 'W' };

// A history as somebody without a seat hears it. Several people at one screen read one log, and it must not show the
// cards of one to the other: of a swap it keeps how many pieces of the other's kind were promised.
export function veiled(history: readonly Ply[]): Ply[] {
  const kinds = new Map<number, string>();
  let asker = -1;
  return history.map(([seat, move]): Ply => {
    const [word = '', rest = ''] = move.split(':');
    if (seat < 0) return [seat, move.startsWith('+') ? '+?' : move];
    if (move in NAMED) kinds.set(seat, NAMED[move]!);
    const count = (card: string, of: number) =>
      card.startsWith('?') ? card : `?${card.split(kinds.get(of) ?? '!').length - 1}`;
    if (word === 'offer') {
      const [card = '', to = ''] = rest.split('>');
      asker = seat;
      return [seat, `offer:${count(card, Number(to) - 1)}>${to}`];
    }
    if (word === 'answer') return [seat, `answer:${count(rest, asker)}`];
    return [seat, word === 'accept' ? 'accept' : move];
  });
}
