// Cells, outlines and directions between places. A cell holds one piece; a card has four.
import type { Card, ScoredGroup } from './wire';

export const CELL = 40; // units of the drawing
export const LIFT = { x: 4, y: 7 }; // how far a second-level card is shifted to the upper left

export type Cell = readonly [number, number];

export interface Place {
  x: number;
  y: number;
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

// The cells of a card, clockwise from the top left, in the order of its pieces.
export function cellsOf({ x, y }: Place): Cell[] {
  return [
    [x, y],
    [x + 1, y],
    [x + 1, y + 1],
    [x, y + 1],
  ];
}

// The part of the table that contains these cards, with a margin of `spare` cells on each side.
export function boxOf(cards: readonly Place[], spare: number): Box {
  const list = cards.length ? cards : [{ x: 0, y: 0 }];
  const xs = list.map((card) => card.x);
  const ys = list.map((card) => card.y);
  return {
    left: Math.min(...xs) - spare,
    top: Math.min(...ys) - spare,
    right: Math.max(...xs) + 2 + spare,
    bottom: Math.max(...ys) + 2 + spare,
  };
}

export const cellKey = (x: number, y: number): string => `${x},${y}`;

export function cellKeys(cards: readonly Place[]): Set<string> {
  return new Set(cards.flatMap((card) => cellsOf(card).map(([x, y]) => cellKey(x, y))));
}

// The cells of second-level cards.
export function raisedOf(cards: readonly Card[]): Set<string> {
  return cellKeys(cards.filter((card) => card.level === 2));
}

// The visible kind in each cell, seen from above.
export function visibleKinds(groups: readonly ScoredGroup[]): Map<string, string> {
  return new Map(groups.flatMap((group) => group.cells.map(([x, y]) => [cellKey(x, y), group.kind] as const)));
}

// The visible part of a first-level card, and its centre in units, where the token is drawn.
export function visible(card: Place, raised: ReadonlySet<string>): { cells: Cell[]; x: number; y: number } {
  const cells = cellsOf(card).filter(([x, y]) => !raised.has(cellKey(x, y)));
  const mean = (axis: 0 | 1) => (cells.reduce((sum, cell) => sum + cell[axis] + 0.5, 0) / cells.length) * CELL;
  return { cells, x: mean(0), y: mean(1) };
}

// The outline of cells as an SVG path: all edges that no two of them share, lifted for raised cells.
export function outline(cells: readonly Cell[], raised: ReadonlySet<string>): string {
  const inside = new Set(cells.map(([x, y]) => cellKey(x, y)));
  const high = new Set<string>();
  for (const cell of cells)
    if (raised.has(cellKey(...cell))) for (const [x, y] of cellsOf({ x: cell[0], y: cell[1] })) high.add(cellKey(x, y));
  const point = (x: number, y: number) =>
    high.has(cellKey(x, y)) ? `${x * CELL - LIFT.x} ${y * CELL - LIFT.y}` : `${x * CELL} ${y * CELL}`;
  let path = '';
  for (const [x, y] of cells) {
    if (!inside.has(cellKey(x, y - 1))) path += `M${point(x, y)}L${point(x + 1, y)}`;
    if (!inside.has(cellKey(x, y + 1))) path += `M${point(x, y + 1)}L${point(x + 1, y + 1)}`;
    if (!inside.has(cellKey(x - 1, y))) path += `M${point(x, y)}L${point(x, y + 1)}`;
    if (!inside.has(cellKey(x + 1, y))) path += `M${point(x + 1, y)}L${point(x + 1, y + 1)}`;
  }
  return path;
}

// The cell of a group on which its size is written: near the centre, not on a cell that is already used, and
// preferably not next to a token.
export function badgeCell(group: ScoredGroup, taken: ReadonlySet<string>, beside: ReadonlySet<string>): Cell {
  const middle = [0, 1].map((axis) => group.cells.reduce((sum, cell) => sum + cell[axis as 0 | 1], 0) / group.size);
  const cost = ([x, y]: Cell) =>
    Math.hypot(x - middle[0]!, y - middle[1]!) +
    (taken.has(cellKey(x, y)) ? 9 : 0) +
    (beside.has(cellKey(x, y)) ? 1.2 : 0);
  return group.cells.reduce((best, cell) => (cost(cell) < cost(best) ? cell : best));
}

// The place whose card's centre is nearest to a point, if one is near enough.
export function nearest<P extends Place>(places: readonly P[], x: number, y: number, reach: number): P | null {
  let best: P | null = null;
  let least = reach;
  for (const place of places) {
    const far = Math.hypot(place.x + 1 - x, place.y + 1 - y);
    if (far <= least) [best, least] = [place, far];
  }
  return best;
}

export const ARROWS: Record<string, Cell> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

// The next place in a direction; straight ahead counts as nearer than sideways. null if there is none.
export function nextIn<P extends Place>(places: readonly P[], from: Place, direction: Cell): P | null {
  let best: P | null = null;
  let least = Infinity;
  for (const place of places) {
    const [right, down] = [place.x - from.x, place.y - from.y];
    const ahead = right * direction[0] + down * direction[1];
    const aside = Math.abs(right * direction[1]) + Math.abs(down * direction[0]);
    if (ahead <= 0) continue;
    const far = ahead + 2.2 * aside;
    if (far < least) [best, least] = [place, far];
  }
  return best;
}

// Page Up and Page Down go through all places row by row: arrow keys do not reach every place.
export const PAGES: Record<string, 1 | -1> = { PageDown: 1, PageUp: -1 };

export function nextByRow<P extends Place>(places: readonly P[], from: P, step: 1 | -1): P {
  const ordered = [...places].sort((one, two) => one.y - two.y || one.x - two.x);
  return ordered[(ordered.indexOf(from) + step + ordered.length) % ordered.length] ?? from;
}
