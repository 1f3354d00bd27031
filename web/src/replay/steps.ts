// Stepping through a game: where to stop, the last move, the points.
import { playOf } from '../boards/play';
import type { GameName, Ply, View } from '../lib/types';

export const CHANCE = -1;

// The plies to stop at. If deals are not shown, they are part of the move before them.
export function stopPlies(history: Ply[], deals: boolean): number[] {
  const plies: number[] = [];
  for (let ply = 0; ply <= history.length; ply += 1) {
    const next = history[ply];
    if (deals || !next || next[0] !== CHANCE) plies.push(ply);
  }
  return plies;
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
export function lastMove(history: Ply[], ply: number): { seat: number; move: string } | null {
  const last = history.slice(0, ply).findLast(([actor]) => actor !== CHANCE);
  return last ? { seat: last[0], move: last[1] } : null;
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
  move: string;
}

export function moveListEntries(history: Ply[], deals: boolean): MoveListEntry[] {
  return history
    .map(([actor, move], index): MoveListEntry => ({ ply: index + 1, actor, move }))
    .filter((entry) => deals || entry.actor !== CHANCE);
}
