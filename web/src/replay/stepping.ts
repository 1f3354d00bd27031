// Going through a game: where one stops, what was done last, how the points stood.
import type { AzulView, GameName, Ply, SchokolyView, View } from '../lib/types';

export const CHANCE = -1;

// The plies after which one stops. Without deals they come together with the move before them.
export function stops(history: Ply[], deals: boolean): number[] {
  const found: number[] = [];
  for (let ply = 0; ply <= history.length; ply += 1) {
    const next = history[ply];
    if (deals || !next || next[0] !== CHANCE) found.push(ply);
  }
  return found;
}

export function after(places: number[], ply: number): number {
  return places.find((place) => place > ply) ?? ply;
}

export function before(places: number[], ply: number): number {
  return places.findLast((place) => place < ply) ?? ply;
}

// The stop at which a ply is seen: the first one that does not come before it.
export function stopOf(places: number[], ply: number): number {
  return places.find((place) => place >= ply) ?? places.at(-1) ?? 0;
}

export function clamp(ply: number, last: number): number {
  return Math.min(Math.max(Number.isFinite(ply) ? Math.trunc(ply) : 0, 0), last);
}

// The last move of a player: it stays marked while chance deals.
export function lastMove(history: Ply[], ply: number): { seat: number; move: string } | null {
  const found = history.slice(0, ply).findLast(([actor]) => actor !== CHANCE);
  return found ? { seat: found[0], move: found[1] } : null;
}

export function scoresOf(game: GameName, view: View): number[] {
  return game === 'schokoly' ? (view as SchokolyView).points : (view as AzulView).boards.map((board) => board.score);
}

// With whose eyes a position can be seen: everybody's, unless it is what one seat or a spectator saw.
export function eyes(game: GameName, view: View, seats: number): { open: boolean; seat: number | null } {
  const seen = game === 'schokoly' ? (view as SchokolyView).viewer : null;
  if (seen === null) return { open: seats > 1, seat: 0 };
  return { open: false, seat: seen >= 0 ? seen : null };
}

// One entry of the list of moves: a ply, and the place where it is seen.
export interface Entry {
  ply: number;
  actor: number;
  move: string;
}

export function entries(history: Ply[], deals: boolean): Entry[] {
  return history
    .map(([actor, move], index): Entry => ({ ply: index + 1, actor, move }))
    .filter((entry) => deals || entry.actor !== CHANCE);
}
