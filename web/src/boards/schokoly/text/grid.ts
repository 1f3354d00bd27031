// The table of Schokoly seen from above, as rows of cells.
import type { Card } from '../wire';

export interface Cell {
  x: number;
  y: number;
  piece: string; // '' where nothing lies
  level: number; // 0 where nothing lies
  token: boolean; // on the card that is visible here
  right: boolean; // whether a different card, or none, lies to the right
  below: boolean;
}

export interface Grid {
  columns: number[];
  rows: { y: number; cells: Cell[] }[];
}

const CORNERS = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
] as const; // clockwise, as pieces are written

export function gridOf(table: Card[], margin = 2): Grid {
  const top = new Map<string, { card: Card; piece: string }>();
  for (const card of [...table].sort((a, b) => a.level - b.level))
    CORNERS.forEach(([right, down], at) =>
      top.set(`${card.x + right},${card.y + down}`, { card, piece: card.pieces[at]! }),
    );
  const [left, up] = [least(table.map((card) => card.x)), least(table.map((card) => card.y))];
  const [last, low] = [most(table.map((card) => card.x + 1)), most(table.map((card) => card.y + 1))];
  const columns = range(left - margin, last + margin);
  const rows = range(up - margin, low + margin).map((y) => ({
    y,
    cells: columns.map((x): Cell => {
      const here = top.get(`${x},${y}`);
      return {
        x,
        y,
        piece: here?.piece ?? '',
        level: here?.card.level ?? 0,
        token: here?.card.token ?? false,
        right: here?.card !== top.get(`${x + 1},${y}`)?.card,
        below: here?.card !== top.get(`${x},${y + 1}`)?.card,
      };
    }),
  }));
  return { columns, rows };
}

const least = (numbers: number[]): number => Math.min(...numbers, numbers.length ? Infinity : 0);
const most = (numbers: number[]): number => Math.max(...numbers, numbers.length ? -Infinity : 1);
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);
