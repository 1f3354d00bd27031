// Parses moves of Azul in notation (docs/notation.md), and the choices that the legal moves offer.
import type { AzulView } from './view';

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

export type ParsedMove =
  | Take
  | { kind: 'cell'; row: number; column: number }
  | { kind: 'deal'; tiles: string }
  | { kind: 'disc'; disc: number; special: string }
  | { kind: 'start'; seat: number }
  | { kind: 'extra'; colour: string }
  | { kind: 'other' };

export function parseMove(move: string): ParsedMove {
  let match = /^([C1-9])([BYRKW])([1-5F])(?:<([BYRKW]+))?(?:>([BYRKW]+))?$/.exec(move);
  if (match) {
    const [, source = '', colour = '', to = '', left = '', right = ''] = match;
    return { kind: 'take', source, colour, to, left, right };
  }
  if ((match = /^([1-5]):([1-5])$/.exec(move))) return { kind: 'cell', row: +match[1]!, column: +match[2]! };
  if ((match = /^\+([BYRKW]+)$/.exec(move))) return { kind: 'deal', tiles: match[1]! };
  if ((match = /^([1-9])=(\w+)$/.exec(move))) return { kind: 'disc', disc: +match[1]!, special: match[2]! };
  if ((match = /^start=([1-4])$/.exec(move))) return { kind: 'start', seat: +match[1]! };
  if ((match = /^extra=([BYRKW])$/.exec(move))) return { kind: 'extra', colour: match[1]! };
  return { kind: 'other' };
}

export function takeIn(move: string | null | undefined): Take | null {
  const parsed = move ? parseMove(move) : null;
  return parsed?.kind === 'take' ? parsed : null;
}

// The first choice of every legal take: source and colour, such as "4B".
export function picks(moves: string[]): Set<string> {
  return new Set(moves.filter((move) => takeIn(move)).map((move) => move.slice(0, 2)));
}

export function targets(moves: string[], pick: string): Set<string> {
  return new Set(moves.filter((move) => move.startsWith(pick) && takeIn(move)).map((move) => move[2]!));
}

// The legal moves of one pick to one line: several if the rest of the spreader can go left or right.
export function movesTo(moves: string[], pick: string, to: string): string[] {
  return moves.filter((move) => move.startsWith(pick + to));
}

// The move of a pick to a line, legal or not, to ask the server what it would do or why it is illegal.
export function attempt(moves: string[], pick: string, to: string): string {
  const one = movesTo(moves, pick, to)[0] ?? moves.find((move) => move.startsWith(pick));
  return pick + to + (one ?? '').slice(3);
}

// Whether a move agrees with the sides chosen so far, by colour: { B: '<' } sends blue to the left.
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

// Tiles as one pile for each colour; with `largest`, the largest pile comes first.
export function piles(tiles: string, largest = false): { letter: string; n: number }[] {
  const result = LETTERS.map((letter) => ({ letter, n: count(tiles, letter) })).filter((pile) => pile.n);
  return largest ? result.sort((a, b) => b.n - a.n) : result;
}
