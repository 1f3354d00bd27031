// Moves of Azul by their parts, and the choices that the legal moves offer.
import { withParts } from '../../lib/moves';
import type { Move } from '../../lib/types';
import { MOVE_PARTS, type AzulMove, type AzulView, type Take } from './wire';

export const FLOOR = 'F';

export const moveOf = (move: Move): AzulMove => withParts(MOVE_PARTS, move);

export function takeOf(move: Move | null | undefined): Take | null {
  const parts = move ? moveOf(move) : null;
  return parts?.kind === 'take' ? parts : null;
}

export const takesIn = (moves: readonly Move[]): Take[] => moves.flatMap((move) => takeOf(move) ?? []);

// Sources, picks and lines by the names that the elements of the board have: "C" or "4", "CB" or "4B", "1" to "5" or "F".
export const sourceName = (source: number): string => (source ? String(source) : 'C');
export const pickOf = ({ source, colour }: Take): string => sourceName(source) + colour;
export const lineName = (line: number | null): string => (line === null ? FLOOR : String(line + 1));

// The legal takes of one pick to one line: several if the rest of the spreader can go left or right.
export function takesTo(takes: readonly Take[], pick: string, line: string): Take[] {
  return takes.filter((take) => pickOf(take) === pick && lineName(take.line) === line);
}

// The take of a pick to a line in notation, legal or not, to ask the server what it would do or why it is illegal.
export function attempt(takes: readonly Take[], pick: string, line: string): string {
  const one = takesTo(takes, pick, line)[0] ?? takes.find((take) => pickOf(take) === pick);
  return pick + line + (one?.left ? `<${one.left}` : '') + (one?.right ? `>${one.right}` : '');
}

// Whether a take agrees with the sides chosen so far, by colour: { B: '<' } sends blue to the left.
export function agrees({ left, right }: Take, sides: Record<string, string>): boolean {
  return Object.entries(sides).every(([colour, side]) => (side === '<' ? left : right).includes(colour));
}

// The place of a grey wall in notation, legal or not.
export const cellText = (line: number, column: number): string => `${line + 1}:${column + 1}`;

// The disc next to one in the circle; a saucer that lies beside a board is no longer in it.
export function neighbour({ discs, saucer_gone }: AzulView, source: number, step: 1 | -1): number {
  let at = source;
  do at = ((at - 1 + step + discs.length) % discs.length) + 1;
  while (discs[at - 1] === 'saucer' && saucer_gone && at !== source);
  return at;
}

export function tilesAt(view: AzulView, source: number): string {
  return source ? (view.factories[source - 1] ?? '') : view.centre;
}

export function count(tiles: string, letter: string): number {
  return tiles.split(letter).length - 1;
}

// Tiles as one pile for each colour, in their order; with `largest`, the largest pile comes first.
export function piles(tiles: string, largest = false): { letter: string; n: number }[] {
  const letters = [...new Set(tiles)].filter((letter) => letter !== 'm');
  const result = letters.map((letter) => ({ letter, n: count(tiles, letter) }));
  return largest ? result.sort((a, b) => b.n - a.n) : result;
}
