// The move log: an entry for each ply, consecutive chance plies being one entry.
import type { GameName, Ply } from '../lib/types';

export interface MoveEntry {
  kind: 'move';
  ply: number; // the number of plies including this one: the address of the position after it
  seat: number;
  move: string;
}

export interface DealsEntry {
  kind: 'deals';
  ply: number;
  round: number; // the round that begins here; 0 if the game has no rounds
  deals: string[];
}

export type LogEntry = MoveEntry | DealsEntry;

export function logEntries(game: GameName, history: readonly Ply[]): LogEntry[] {
  const entries: LogEntry[] = [];
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

// A history as a spectator sees it. People who share a screen share a log, which must not reveal the cards of one to
// the other: of a swap, only the announced numbers stay.
export function spectatorHistory(history: readonly Ply[]): Ply[] {
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
