// Stepping through a game: where to stop, the last move, the points.
import { playOf } from '../boards/play';
import type { Fact } from '../boards/types';
import type { Effect, GameName, Move, Ply, View } from '../lib/types';

export const CHANCE = -1;

// The plies to stop at. If deals are not shown, they are part of the move before them.
export function stopPlies(plies: readonly Ply[], deals: boolean): number[] {
  const stops: number[] = [];
  for (let ply = 0; ply <= plies.length; ply += 1) if (deals || plies[ply]?.actor !== CHANCE) stops.push(ply);
  return stops;
}

export function nextStop(stops: number[], ply: number): number {
  return stops.find((stop) => stop > ply) ?? ply;
}

export function previousStop(stops: number[], ply: number): number {
  return stops.findLast((stop) => stop < ply) ?? ply;
}

// The stop that shows a ply: the first one at or after it.
export function stopOf(stops: number[], ply: number): number {
  return stops.find((stop) => stop >= ply) ?? stops.at(-1) ?? 0;
}

export function clamp(ply: number, last: number): number {
  return Math.min(Math.max(Number.isFinite(ply) ? Math.trunc(ply) : 0, 0), last);
}

// The last move of a player: it stays marked while chance deals.
export function lastMove(plies: readonly Ply[], ply: number): { seat: number; move: Move } | null {
  const last = plies.slice(0, ply).findLast(({ actor }) => actor !== CHANCE);
  return last ? { seat: last.actor, move: last.move } : null;
}

// What happened from one stop to the next; nothing if one goes back or jumps.
export function effectsBetween(plies: readonly Ply[], stops: number[], from: number, to: number): Effect[] {
  if (to <= from || nextStop(stops, from) !== to) return [];
  return plies.slice(from, to).flatMap(({ effects }) => effects);
}

export function scoresOf(game: GameName, view: View): number[] {
  return playOf(game).scores(view);
}

// From whose perspective a position is shown. It is open to choice unless the view is that of one seat or a spectator.
export function perspective(game: GameName, view: View, seats: number): { open: boolean; seat: number | null } {
  const seen = playOf(game).viewer(view);
  if (seen === null) return { open: seats > 1, seat: 0 };
  return { open: false, seat: seen >= 0 ? seen : null };
}

// One entry of the move list; `ply` is the number of plies including this one.
export interface MoveListEntry {
  ply: number;
  actor: number;
  move: Move;
  facts: Fact[]; // what it did
}

export function moveListEntries(
  game: GameName,
  plies: readonly Ply[],
  names: string[],
  deals: boolean,
): MoveListEntry[] {
  const facts = playOf(game).plyFacts(plies, names);
  return plies
    .map(({ actor, move }, index): MoveListEntry => ({ ply: index + 1, actor, move, facts: facts[index] ?? [] }))
    .filter((entry) => deals || entry.actor !== CHANCE);
}
