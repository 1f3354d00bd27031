// The move log: an entry for each ply, consecutive chance plies being one entry, and one for the end of each round.
import { playOf } from '../boards/play';
import type { Fact, RoundSummary } from '../boards/types';
import type { Effect, GameName, Move, Ply } from '../lib/types';

export interface MoveEntry {
  kind: 'move';
  ply: number; // the number of plies including this one: the address of the position after it
  seat: number;
  move: Move;
  facts: Fact[]; // what it did
}

export interface DealsEntry {
  kind: 'deals';
  ply: number;
  round: number; // the round that begins here; 0 if the game has no rounds
  deals: Move[];
}

export interface RoundEntry extends RoundSummary {
  kind: 'round';
  ply: number;
}

export type LogEntry = MoveEntry | DealsEntry | RoundEntry;

export function logEntries(game: GameName, history: readonly Ply[], names: string[]): LogEntry[] {
  const entries: LogEntry[] = [];
  const { hasRounds, plyFacts, roundSummary } = playOf(game);
  const facts = plyFacts(history, names);
  const since: Effect[] = []; // what has happened since the last round
  let round = 0;
  history.forEach(({ actor, move, effects }, at) => {
    const ply = at + 1;
    const before = entries.at(-1);
    if (actor >= 0) entries.push({ kind: 'move', ply, seat: actor, move, facts: facts[at] ?? [] });
    else if (before?.kind === 'deals') {
      before.deals.push(move);
      before.ply = ply;
    } else {
      if (hasRounds) round += 1;
      entries.push({ kind: 'deals', ply, round, deals: [move] });
    }
    if (!roundSummary) return;
    since.push(...effects);
    const summary = roundSummary(since, names.length);
    if (!summary) return;
    entries.push({ kind: 'round', ply, ...summary });
    since.length = 0;
  });
  return entries;
}
