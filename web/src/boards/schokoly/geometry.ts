// Cells, outlines and ways between places. A cell is a place for one piece; a card has four.
import type { Card, Group } from '../../lib/types';

export const CELL = 40; // units of the drawing
export const LIFT = { x: 4, y: 7 }; // how far a card of the second level rises to the upper left

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

// Clockwise from the top left, as pieces are read.
export function cellsOf({ x, y }: Place): Cell[] {
  return [
    [x, y],
    [x + 1, y],
    [x + 1, y + 1],
    [x, y + 1],
  ];
}

// The part of the plane that has all these cards, and some cells more on each side.
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

export const keyOf = (x: number, y: number): string => `${x},${y}`;

export function cellKeys(cards: readonly Place[]): Set<string> {
  return new Set(cards.flatMap((card) => cellsOf(card).map(([x, y]) => keyOf(x, y))));
}

// The cells of second-level cards.
export function raisedOf(cards: readonly Card[]): Set<string> {
  return cellKeys(cards.filter((card) => card.level === 2));
}

// What is seen from above: the kind in each cell.
export function seenOf(groups: readonly Group[]): Map<string, string> {
  return new Map(groups.flatMap((group) => group.cells.map(([x, y]) => [keyOf(x, y), group.kind] as const)));
}

// What is still seen of a first-level card, and the middle of it in units: there its token lies.
export function visible(card: Place, raised: ReadonlySet<string>): { cells: Cell[]; x: number; y: number } {
  const cells = cellsOf(card).filter(([x, y]) => !raised.has(keyOf(x, y)));
  const mean = (way: 0 | 1) => (cells.reduce((sum, cell) => sum + cell[way] + 0.5, 0) / cells.length) * CELL;
  return { cells, x: mean(0), y: mean(1) };
}

// A line round cells, along those edges that no two of them share; it climbs raised ones.
export function outline(cells: readonly Cell[], raised: ReadonlySet<string>): string {
  const inside = new Set(cells.map(([x, y]) => keyOf(x, y)));
  const high = new Set<string>();
  for (const cell of cells)
    if (raised.has(keyOf(...cell))) for (const [x, y] of cellsOf({ x: cell[0], y: cell[1] })) high.add(keyOf(x, y));
  const point = (x: number, y: number) =>
    high.has(keyOf(x, y)) ? `${x * CELL - LIFT.x} ${y * CELL - LIFT.y}` : `${x * CELL} ${y * CELL}`;
  let path = '';
  for (const [x, y] of cells) {
    if (!inside.has(keyOf(x, y - 1))) path += `M${point(x, y)}L${point(x + 1, y)}`;
    if (!inside.has(keyOf(x, y + 1))) path += `M${point(x, y + 1)}L${point(x + 1, y + 1)}`;
    if (!inside.has(keyOf(x - 1, y))) path += `M${point(x, y)}L${point(x, y + 1)}`;
    if (!inside.has(keyOf(x + 1, y))) path += `M${point(x + 1, y)}L${point(x + 1, y + 1)}`;
  }
  return path;
}

// The cell of a group on which its size is written: near its middle, not on one that is taken already, and rather not
// beside a token.
export function badgeCell(group: Group, taken: ReadonlySet<string>, beside: ReadonlySet<string>): Cell {
  const middle = [0, 1].map((way) => group.cells.reduce((sum, cell) => sum + cell[way as 0 | 1], 0) / group.size);
  const cost = ([x, y]: Cell) =>
    Math.hypot(x - middle[0]!, y - middle[1]!) + (taken.has(keyOf(x, y)) ? 9 : 0) + (beside.has(keyOf(x, y)) ? 1.2 : 0);
  return group.cells.reduce((best, cell) => (cost(cell) < cost(best) ? cell : best));
}

// The place whose card has its middle nearest to a point, if one is near enough.
export function nearest<P extends Place>(places: readonly P[], x: number, y: number, reach: number): P | null {
  let found: P | null = null;
  let least = reach;
  for (const place of places) {
    const far = Math.hypot(place.x + 1 - x, place.y + 1 - y);
    if (far <= least) [found, least] = [place, far];
  }
  return found;
}

export const ARROWS: Record<string, Cell> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

// The next place in a direction: straight ahead is nearer than aside. From the last one on, none.
export function nextIn<P extends Place>(places: readonly P[], from: Place, way: Cell): P | null {
  let found: P | null = null;
  let least = Infinity;
  for (const place of places) {
    const [right, down] = [place.x - from.x, place.y - from.y];
    const ahead = right * way[0] + down * way[1];
    const aside = Math.abs(right * way[1]) + Math.abs(down * way[0]);
    if (ahead <= 0) continue;
    const far = ahead + 2.2 * aside;
    if (far < least) [found, least] = [place, far];
  }
  return found;
}

// The page keys go through all places row by row: arrows do not lead to every one.
export const PAGES: Record<string, 1 | -1> = { PageDown: 1, PageUp: -1 };

export function inTurn<P extends Place>(places: readonly P[], from: P, step: 1 | -1): P {
  const ordered = [...places].sort((one, two) => one.y - two.y || one.x - two.x);
  return ordered[(ordered.indexOf(from) + step + ordered.length) % ordered.length] ?? from;
}
