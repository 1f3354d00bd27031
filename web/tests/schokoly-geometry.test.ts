import { describe, expect, it } from 'vitest';
import {
  badgeCell,
  boxOf,
  cellsOf,
  nextByRow,
  nearest,
  nextIn,
  outline,
  raisedOf,
  visibleKinds,
} from '../src/boards/schokoly/geometry';
import { schokolyTurn } from './fixtures';

const { table, groups } = schokolyTurn('2', 'place').view;

describe('the table of a real game', () => {
  it('is seen from above as its topmost pieces', () => {
    const seen = visibleKinds(groups);
    const raised = raisedOf(table);
    for (const card of table)
      cellsOf(card).forEach(([x, y], corner) => {
        if (card.level === 2 || !raised.has(`${x},${y}`)) expect(seen.get(`${x},${y}`)).toBe(card.pieces[corner]);
      });
  });
  it('fits its bounding box', () => {
    const box = boxOf(table, 1);
    for (const { x, y } of table) {
      expect(x - 1).toBeGreaterThanOrEqual(box.left);
      expect(y + 3).toBeLessThanOrEqual(box.bottom);
    }
  });
  it('has a badge on a cell of each group', () => {
    for (const group of groups) expect(group.cells).toContainEqual(badgeCell(group, new Set(), new Set()));
  });
});

it('an empty table has room for the first card', () =>
  expect(boxOf([], 2)).toEqual({ left: -2, top: -2, right: 4, bottom: 4 }));

describe('an outline', () => {
  it('surrounds a cell', () => expect(outline([[0, 0]], new Set()).match(/M/g)).toHaveLength(4));
  it('has no line between cells of the group', () =>
    expect(
      outline(
        [
          [0, 0],
          [1, 0],
          [1, 1],
        ],
        new Set(),
      ).match(/M/g),
    ).toHaveLength(8));
  it('is lifted for a raised cell', () => expect(outline([[1, 1]], new Set(['1,1']))).toContain('M36 33L76 33'));
});

describe('places', () => {
  const places = [
    { x: 0, y: 0 },
    { x: 2, y: 0 },
    { x: 2, y: 1 },
    { x: -3, y: 4 },
  ];
  it('are found by the centre of the card', () => {
    expect(nearest(places, 1.2, 0.9, 1)).toBe(places[0]);
    expect(nearest(places, 3, 1.6, 1)).toBe(places[2]);
    expect(nearest(places, 9, 9, 1)).toBeNull();
  });
  it('are reached by arrow keys, straight ahead first', () => {
    expect(nextIn(places, places[0]!, [1, 0])).toBe(places[1]);
    expect(nextIn(places, places[1]!, [0, 1])).toBe(places[2]);
    expect(nextIn(places, places[0]!, [-1, 0])).toBe(places[3]);
    expect(nextIn(places, places[0]!, [0, -1])).toBeNull();
  });
});

describe('page keys', () => {
  it('go through every place row by row, and start over', () => {
    const places = [
      { x: 4, y: 0 },
      { x: -2, y: 2 },
      { x: 0, y: -6 },
      { x: -7, y: 0 },
    ];
    let at = places[2]!;
    const seen = places.map(() => (at = nextByRow(places, at, 1)));
    expect(seen).toEqual([places[3], places[0], places[1], places[2]]);
    expect(nextByRow(places, places[2]!, -1)).toBe(places[1]);
  });
});
