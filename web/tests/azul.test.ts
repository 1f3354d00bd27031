import { beforeAll, describe, expect, it, vi } from 'vitest';
import { flights } from '../src/boards/azul/flights';
import { nearest } from '../src/boards/azul/keyboard';
import { placementOf, neighbour, viewAfterTake } from '../src/boards/azul/placement';
import { agrees, attempt, picks, piles, takeIn, targets, parseMove, movesTo } from '../src/boards/azul/moves';
import { explain, describeMove } from '../src/boards/azul/describe';
import { azulFrames } from '../src/boards/azul/frames';
import { loadTranslations } from '../src/lib/i18n.svelte';
import type { GameName, Preview } from '../src/lib/types';
import { applyEffect } from '../src/boards/azul/applyEffects';
import type { AzulEffect, Fell, FloorScored, Tiled } from '../src/boards/azul/effects';
import type { AzulView } from '../src/boards/azul/view';
import refusals from './fixtures/azul-refusals.json';
import takes from './fixtures/azul-takes.json';
import tilings from './fixtures/azul-tiling.json';

// The fixtures are positions of real games, with moves and their effects as the server reports them.
interface Played {
  game: GameName;
  before: AzulView;
  move: string;
  seat: number;
  effects: AzulEffect[];
  end?: AzulView; // before chance has dealt
  after: AzulView;
}
const TAKES = takes as Played[];
const TILINGS = tilings as Played[];
const stepsOf = (effects: AzulEffect[], ...types: string[]) =>
  effects.filter((effect) => types.includes(effect.type)) as (Tiled | FloorScored)[];

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: {} });
  vi.stubGlobal('navigator', { languages: ['en'] });
  await loadTranslations();
});

describe('a move text', () => {
  it.each([
    ['3R2', { kind: 'take', source: '3', colour: 'R', to: '2', left: '', right: '' }],
    ['CKF', { kind: 'take', source: 'C', colour: 'K', to: 'F', left: '', right: '' }],
    ['4R2<BK>Y', { kind: 'take', source: '4', colour: 'R', to: '2', left: 'BK', right: 'Y' }],
    ['4:2', { kind: 'cell', row: 4, column: 2 }],
    ['+BBYR', { kind: 'deal', tiles: 'BBYR' }],
    ['3=magnetR', { kind: 'disc', disc: 3, special: 'magnetR' }],
    ['start=2', { kind: 'start', seat: 2 }],
    ['extra=W', { kind: 'extra', colour: 'W' }],
    ['resign', { kind: 'other' }],
  ])('%s is parsed', (move, parts) => expect(parseMove(move)).toEqual(parts));

  const MOVES = ['1B1', '1BF', '4R2<BK>Y', '4R2<BKY', '4RF<BKY', 'CW3'];
  it('is chosen step by step: source and colour, line, sides of the spreader', () => {
    expect([...picks(MOVES)]).toEqual(['1B', '4R', 'CW']);
    expect([...targets(MOVES, '4R')]).toEqual(['2', 'F']);
    expect(movesTo(MOVES, '4R', '2')).toEqual(['4R2<BK>Y', '4R2<BKY']);
    expect(movesTo(MOVES, '4R', '2').filter((move) => agrees(move, { Y: '>' }))).toEqual(['4R2<BK>Y']);
  });
  it('can be illegal, with the sides that a spreader needs', () => {
    expect(attempt(MOVES, '1B', '3')).toBe('1B3');
    expect(attempt(MOVES, '4R', '5')).toBe('4R5<BK>Y');
  });
  it('is split into piles by colour', () =>
    expect(piles('BKKKW', true).map(({ letter, n }) => letter + n)).toEqual(['K3', 'B1', 'W1']));
});

describe('a take as it is drawn', () => {
  it.each(TAKES.map((one) => [one.move, one] as const))('%s has the same result as on the server', (_, one) => {
    const { before, after, seat, effects } = one;
    const then = viewAfterTake(before, one.move, seat);
    expect(then.boards).toEqual(after.boards);
    expect([then.centre, then.factories, then.lid, then.marker]).toEqual([
      after.centre,
      after.factories,
      after.lid,
      after.marker,
    ]);
    expect(then.saucer_gone).toBe(after.saucer_gone);
    const placed = effects.find((effect) => effect.type === 'placed');
    expect(placementOf(before, before.boards[seat]!, takeIn(one.move)!).placed).toHaveLength(placed?.number ?? 0);
  });

  it('skips a saucer that has left the circle when it looks for neighbours', () => {
    const view = { discs: ['plain', 'saucer', 'plain', 'plain', 'plain'], saucer_gone: false } as AzulView;
    expect([neighbour(view, 1, -1), neighbour(view, 1, 1)]).toEqual([5, 2]);
    expect(neighbour({ ...view, saucer_gone: true }, 1, 1)).toBe(3);
    expect(neighbour({ ...view, saucer_gone: true }, 3, -1)).toBe(1);
  });
});

describe('the effects of a move', () => {
  const ALL = [...TAKES, ...TILINGS].map((one) => [`${one.game} ${one.move}`, one] as const);
  it.each(ALL)('%s lead from the view before it to the view after it', (_, one) => {
    const after = one.end ?? one.after;
    const { phase, seat, stalled } = after; // whose turn it is follows from the position
    expect({ ...one.effects.reduce(applyEffect, one.before), phase, seat, stalled }).toEqual(after);
  });
});

describe('the tiling in frames', () => {
  const NAMED = TILINGS.map((one) => [`${one.game} ${one.move}`, one] as const);
  it.each(NAMED)('%s ends with the position after the move', (_, one) => {
    const frames = azulFrames(one.before, one.effects, one.after, one.game);
    if (!stepsOf(one.effects, 'tiled', 'floor-scored').length) {
      expect(frames).toEqual([]); // a cell is chosen before anything else happens
      return;
    }
    expect(frames.at(-1)).toEqual({ view: one.after, text: '', seat: null, points: null, at: [] });
    const last = frames.at(-2)?.view as AzulView | undefined;
    const done = new Set(stepsOf(one.effects, 'floor-scored').map((step) => step.seat));
    one.end!.boards.forEach((board, seat) => {
      if (!last) return;
      const shown = last.boards[seat]!;
      expect(shown.score, 'score').toBe(board.score);
      expect(shown.wall).toEqual(board.wall);
      if (done.has(seat)) expect([shown.lines, shown.floor]).toEqual([board.lines, board.floor]);
    });
    if (last && one.end!.phase !== 'tiling') expect(last.lid).toEqual(one.end!.lid);
    expect(
      frames.every((frame) => !frame.text.includes('azul.')),
      'words',
    ).toBe(true);
    const steps = one.effects.filter((effect) => ['tiled', 'bonus'].includes(effect.type)).length;
    expect(frames.length).toBeGreaterThan(steps);
  });

  it('has the points of every step', () => {
    const one = TILINGS[0]!;
    const frames = azulFrames(one.before, one.effects, one.after, 'azul');
    expect(frames[0]!.text).toBe('The last tiles of the round are taken.');
    const points = frames.slice(1, -1).map((frame) => frame.points);
    expect(points).toEqual(stepsOf(one.effects, 'tiled', 'floor-scored').map((step) => step.points));
  });
});

describe('tiles that travel', () => {
  it('are all tiles of a take', () => {
    for (const one of TAKES) {
      const moving = flights(one.before, one.after, { seat: one.seat, move: one.move });
      const n = placementOf(one.before, one.before.boards[one.seat]!, takeIn(one.move)!);
      const own = moving.filter(({ to }) => /^(line|floor|saucer|lid)/.test(to)).length;
      expect(own, one.move).toBe((n.placed + n.floor + n.saucer + n.lost).length);
    }
  });
  it('move from full lines to the wall, step by step', () => {
    const one = TILINGS[0]!;
    const frames = azulFrames(one.before, one.effects, one.after, 'azul');
    const [step] = stepsOf(one.effects, 'tiled') as [Tiled];
    const [first, second] = frames.map((frame) => frame.view as AzulView);
    const moving = flights(first!, second!, { seat: one.seat, move: one.move });
    expect(moving).toHaveLength(step.line + 1);
    expect(moving[0]!.to).toBe(`wall:${step.seat}:${step.line}:${step.column}`);
  });
  it('move from the bag to the factories when they are filled', () => {
    const { end, after } = TILINGS[0]!;
    const moving = flights(end!, after, null);
    expect(moving).toHaveLength(after.factories.join('').length);
    expect(moving.every(({ from }) => from === 'bag')).toBe(true);
  });
  it('are none between positions that are far apart', () =>
    expect(flights(TAKES[0]!.before, TILINGS[2]!.after, null)).toEqual([]));
});

describe('the words', () => {
  it.each([
    ['azul', '4B1', 'Ann takes blue tiles from factory 4 to line 1.'],
    ['chocolatier', '4BF', 'Ann takes blue chocolates from plate 4 to the waste line.'],
    ['azul', 'CK5', 'Ann takes black tiles from the centre to line 5.'],
    ['azul', '4R2<B>Y', 'Ann takes red tiles from factory 4 to line 2. To the left: blue. To the right: yellow.'],
    ['chocolatier', '4:2', 'Ann puts the chocolate of line 4 in column 2 of the box.'],
    ['azul', '+BBYR', 'The next factory gets: 2 blue tiles, 1 yellow tile, 1 red tile.'],
    ['azul', '5=keeper', 'Factory 5 is special: Keeper.'],
    ['azul', 'extra=W', 'The extra disc gets: 1 white tile.'],
    ['azul', 'start=2', 'The player at seat 2 starts.'],
  ] as const)('of %s for %s', (game, move, words) => expect(describeMove(game, move, 'Ann')).toBe(words));

  const VIEW = {
    seat: 0,
    marker: null,
    centre: 'BBK',
    factories: ['RRRR'],
    discs: ['plain'],
    boards: [{ score: 0, lines: ['', '', '', '', ''], wall: [], floor: '', saucer: null }],
  } as unknown as AzulView;
  const does = (effects: AzulEffect[], move = '1R3') => explain('azul', { move, legal: true, effects }, VIEW);
  const fell = (floor: number, lid: number, cost: number, saucer = 0): Fell => {
    return { type: 'fell', seat: 0, colour: 'R', line: null, saucer, floor, lid, cost };
  };
  const placed = (number: number, line: number, full: boolean, points: number | null): AzulEffect => {
    return { type: 'placed', seat: 0, line, colour: 'R', number, full, points };
  };
  it('say what a move does', () => {
    expect(does([placed(3, 2, true, 5), fell(1, 0, 1)])).toEqual([
      { tone: 'good', text: '3 tiles to line 3: full' },
      { tone: 'bad', text: '1 falls: −1' },
      { tone: 'good', text: 'The tiling will bring 5 points' },
    ]);
    const marker: AzulEffect = { type: 'marker-taken', seat: 0, to: 'floor', cost: 1 };
    const both = does([marker, placed(1, 0, false, null), fell(1, 0, 1)], 'CB1');
    expect(both.map(({ text }) => text)).toEqual(['1 tile to line 1', 'Marker and 1 more: −2']);
    expect(does([fell(0, 4, 0)], '1RF')).toEqual([{ tone: 'plain', text: '4 fall: no penalty' }]);
    const tiled: Tiled = { type: 'tiled', seat: 0, line: 3, column: 1, colour: 'R', across: 0, down: 3, points: 3 };
    expect(does([tiled], '4:2')).toEqual([{ tone: 'good', text: '+3 points' }]);
  });
  it('say when the round ends, and when a column is chosen later', () =>
    expect(
      does([placed(3, 2, true, null), fell(0, 0, 0, 1), { type: 'offer-ended', round: 2 }]).map(({ text }) => text),
    ).toEqual([
      '3 tiles to line 3: full',
      'The saucer catches one',
      'The column is chosen at the tiling',
      'This ends the round',
    ]));

  it.each((refusals as { view: AzulView; preview: Preview }[]).map((one) => [one.preview.error!.text, one] as const))(
    'replace the English refusal of the server: %s',
    (text, { view, preview }) => {
      const facts = explain('azul', preview, view);
      expect(facts).toHaveLength(1);
      expect(facts[0]!.tone).toBe('bad');
      expect(facts[0]!.text).not.toBe(text);
      expect(facts[0]!.text).not.toContain('azul.');
    },
  );
});

it('an arrow key moves to the nearest element in its direction', () => {
  const places = [
    { x: 10, y: 0 },
    { x: 4, y: 3 },
    { x: 0, y: 10 },
    { x: -10, y: 0 },
  ];
  const from = { x: 0, y: 0 };
  expect(nearest(from, places, 'ArrowRight')).toBe(0);
  expect(nearest(from, places, 'ArrowDown')).toBe(2);
  expect(nearest(from, places, 'ArrowLeft')).toBe(3);
  expect(nearest(from, places, 'ArrowUp')).toBe(-1);
});
