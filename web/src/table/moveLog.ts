// The move log: an entry for each ply, consecutive chance plies being one entry.
import { playOf } from '../boards/play';
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
  const { hasRounds } = playOf(game);
  let round = 0;
  history.forEach(([seat, move], at) => {
    const ply = at + 1;
    const before = entries.at(-1);
    if (seat >= 0) entries.push({ kind: 'move', ply, seat, move });
    else if (before?.kind === 'deals') {
      before.deals.push(move);
      before.ply = ply;
    } else {
      if (hasRounds) round += 1;
      entries.push({ kind: 'deals', ply, round, deals: [move] });
    }
  });
  return entries;
}
