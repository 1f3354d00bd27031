// Move texts taken apart, and what the legal ones have in common. docs/notation.md says how moves are written.
import type { AzulView } from '../../lib/types';

export const LETTERS = ['B', 'Y', 'R', 'K', 'W'] as const;
export const COSTS = [1, 1, 2, 2, 2, 3, 3]; // printed on every floor line
export const FLOOR = 'F';

export interface Take {
  kind: 'take';
  source: string; // 'C' or the number of a factory
  colour: string;
  to: string; // '1' to '5', or 'F'
  left: string;
  right: string;
}

export type Told =
  | Take
  | { kind: 'cell'; row: number; column: number }
  | { kind: 'deal'; tiles: string }
  | { kind: 'disc'; disc: number; special: string }
  | { kind: 'start'; seat: number }
  | { kind: 'extra'; colour: string }
  | { kind: 'other' };

export function told(move: string): Told {
  let found = /^([C1-9])([BYRKW])([1-5F])(?:<([BYRKW]+))?(?:>([BYRKW]+))?$/.exec(move);
  if (found) {
    const [, source = '', colour = '', to = '', left = '', right = ''] = found;
    return { kind: 'take', source, colour, to, left, right };
  }
  if ((found = /^([1-5]):([1-5])$/.exec(move))) return { kind: 'cell', row: +found[1]!, column: +found[2]! };
  if ((found = /^\+([BYRKW]+)$/.exec(move))) return { kind: 'deal', tiles: found[1]! };
  if ((found = /^([1-9])=(\w+)$/.exec(move))) return { kind: 'disc', disc: +found[1]!, special: found[2]! };
  if ((found = /^start=([1-4])$/.exec(move))) return { kind: 'start', seat: +found[1]! };
  if ((found = /^extra=([BYRKW])$/.exec(move))) return { kind: 'extra', colour: found[1]! };
  return { kind: 'other' };
}

export function takeIn(move: string | null | undefined): Take | null {
  const found = move ? told(move) : null;
  return found?.kind === 'take' ? found : null;
}

// "4B": source and colour together, which is what somebody picks first.
export function picks(moves: string[]): Set<string> {
  return new Set(moves.filter((move) => takeIn(move)).map((move) => move.slice(0, 2)));
}

export function targets(moves: string[], pick: string): Set<string> {
  return new Set(moves.filter((move) => move.startsWith(pick) && takeIn(move)).map((move) => move[2]!));
}

// The legal moves of one pick to one line: several where the rest of the spreader goes left or right.
export function ways(moves: string[], pick: string, to: string): string[] {
  return moves.filter((move) => move.startsWith(pick + to));
}

// A text for a pick to a line, legal or not, so that the server can say what it would do or why not.
export function attempt(moves: string[], pick: string, to: string): string {
  const one = ways(moves, pick, to)[0] ?? moves.find((move) => move.startsWith(pick));
  return pick + to + (one ?? '').slice(3);
}

// The way that has these sides, as far as they are said: "B<" sends blue to the left.
export function agrees(move: string, sides: Record<string, string>): boolean {
  const take = takeIn(move);
  if (!take) return false;
  return Object.entries(sides).every(([colour, side]) => (side === '<' ? take.left : take.right).includes(colour));
}

export function tilesAt(view: AzulView, source: string): string {
  return source === 'C' ? view.centre : (view.factories[+source - 1] ?? '');
}

export function count(tiles: string, letter: string): number {
  return tiles.split(letter).length - 1;
}

// The colours of a pile with their numbers, the most frequent one first where `largest` is asked for.
export function heaps(tiles: string, largest = false): { letter: string; n: number }[] {
  const found = LETTERS.map((letter) => ({ letter, n: count(tiles, letter) })).filter((heap) => heap.n);
  return largest ? found.sort((a, b) => b.n - a.n) : found;
}
