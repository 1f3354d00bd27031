import { beforeAll, describe, expect, it, vi } from 'vitest';
import { applyEffects } from '../src/boards/azul/applyEffects';
import { placementOf } from '../src/boards/azul/boardState.svelte';
import { describeMove, explain } from '../src/boards/azul/describe';
import { flights } from '../src/boards/azul/flights';
import { azulFrames, roundSummary } from '../src/boards/azul/frames';
import { nearest } from '../src/boards/azul/keyboard';
import { agrees, attempt, lineName, neighbour, pickOf, piles, takesIn, takesTo } from '../src/boards/azul/moves';
import { colourName, editionOf, inEdition, inOrder, lettersOf } from '../src/boards/azul/edition';
import { GLAZES, ORNAMENTS } from '../src/ui/pieces/art';
import type { AzulEffect, AzulView, Fell, FloorScored, Tiled } from '../src/boards/azul/wire';
import { loadTranslations } from '../src/lib/i18n.svelte';
import type { Effect, Move } from '../src/lib/types';
import { TAKES, TILINGS, type Played } from './fixtures';

const named = (all: Played[]) => all.map((one) => [`${one.game} ${one.before.rules} ${one.move[1]}`, one] as const);
const effectsOf = ({ effects, deals }: Played): Effect[] => [...effects, ...deals.flatMap((ply) => ply.effects)];
const stepsOf = (effects: Effect[], ...types: string[]) =>
  effects.filter((effect) => types.includes(effect.type)) as (Tiled | FloorScored)[];
// Whose turn it is and the phase follow from the position.
const known = ({ phase: _, seat: __, stalled: ___, ...view }: AzulView) => view;

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: {} });
  vi.stubGlobal('navigator', { languages: ['en'] });
  await loadTranslations();
});

const take = (source: number, colour: string, number: number, line: number | null, left = '', right = ''): Move => {
  const sides = (left && `<${left}`) + (right && `>${right}`);
  return ['take', `${source || 'C'}${colour}${lineName(line)}${sides}`, 0, source, colour, number, line, left, right];
};

describe('a move', () => {
  const SPREADER = [take(4, 'R', 2, 1, 'BK', 'Y'), take(4, 'R', 2, 1, 'BKY'), take(4, 'R', 2, null, 'BKY')];
  const TAKES_IN = takesIn([take(1, 'B', 1, 0), take(1, 'B', 1, null), ...SPREADER, take(0, 'W', 2, 2)]);
  it('is chosen step by step: source and colour, line, sides of the spreader', () => {
    expect([...new Set(TAKES_IN.map(pickOf))]).toEqual(['1B', '4R', 'CW']);
    expect(takesTo(TAKES_IN, '4R', '2').map(({ text }) => text)).toEqual(['4R2<BK>Y', '4R2<BKY']);
    expect(takesTo(TAKES_IN, '4R', '2').filter((one) => agrees(one, { Y: '>' }))).toHaveLength(1);
    expect(takesTo(TAKES_IN, '4R', 'F')).toHaveLength(1);
  });
  it('can be illegal, with the sides that a spreader needs', () => {
    expect(attempt(TAKES_IN, '1B', '3')).toBe('1B3');
    expect(attempt(TAKES_IN, '4R', '5')).toBe('4R5<BK>Y');
  });
  it('of real games is written like the server writes it', () => {
    for (const { move } of TAKES) {
      const [one] = takesIn([move]);
      expect(attempt([one!], pickOf(one!), lineName(one!.line))).toBe(move[1]);
    }
  });
  it('is drawn as piles by colour', () =>
    expect(piles('BKKKW', true).map(({ letter, n }) => letter + n)).toEqual(['K3', 'B1', 'W1']));
  it('of the spreader skips a saucer that has left the circle', () => {
    const view = { discs: ['plain', 'saucer', 'plain', 'plain', 'plain'], saucer_gone: false } as unknown as AzulView;
    expect([neighbour(view, 1, -1), neighbour(view, 1, 1)]).toEqual([5, 2]);
    expect(neighbour({ ...view, saucer_gone: true }, 1, 1)).toBe(3);
    expect(neighbour({ ...view, saucer_gone: true }, 3, -1)).toBe(1);
  });
});

describe('the effects of a move', () => {
  const ALL = named([...TAKES, ...TILINGS]);
  it.each(ALL)('%s lead from the view before it to the view after it', (_, one) => {
    expect(known(applyEffects(one.game, one.before, one.effects))).toEqual(known(one.end));
    expect(known(applyEffects(one.game, one.before, effectsOf(one)))).toEqual(known(one.after));
  });
  it('are those of all special discs', () => {
    const types = new Set([...TAKES, ...TILINGS].flatMap((one) => effectsOf(one).map(({ type }) => type)));
    for (const type of ['rest-moved', 'saucer-taken', 'saucer-returned', 'marker-taken', 'attracted', 'bonus', 'ended'])
      expect(types).toContain(type);
  });
  it('leave what a saucer holds, and let other tiles fall to the floor line', () => {
    const fallen = [...TAKES, ...TILINGS].flatMap((one) => {
      const taken = one.effects.slice(0, one.effects.findIndex(({ type }) => type === 'fell') + 1);
      return taken.length && one.before.boards[one.seat]!.saucer ? [{ ...one, taken }] : [];
    });
    expect(fallen.length).toBeGreaterThan(0);
    for (const { game, before, seat, taken } of fallen) {
      const [was, is] = [before.boards[seat]!, applyEffects(game, before, taken).boards[seat]!];
      const fell = taken.at(-1) as Fell;
      expect(is.saucer).toBe(was.saucer);
      expect(is.floor.slice(was.floor.length).replace('m', '')).toBe(fell.colour.repeat(fell.floor));
    }
  });
  it.each(named(TAKES))('%s say where its tiles are drawn before it is made', (_, one) => {
    const { line, placed, floor, saucer } = placementOf(one.effects);
    const [before, after] = [one.before.boards[one.seat]!, one.end.boards[one.seat]!];
    expect(before.lines.map((held, at) => (at === line ? held + placed : held))).toEqual(after.lines);
    expect(before.floor + floor).toBe(after.floor);
    expect((before.saucer ?? '') + saucer).toBe(after.saucer ?? '');
  });
});

describe('the tiling in frames', () => {
  it.each(named(TILINGS))('%s ends with the position after the deals', (_, one) => {
    const frames = azulFrames(one.before, effectsOf(one), one.after, one.game);
    if (!stepsOf(one.effects, 'tiled', 'floor-scored', 'bonus').length) {
      expect(frames).toEqual([]); // a column is chosen before anything else happens
      return;
    }
    expect(frames.at(-1)).toMatchObject({ view: one.after, text: '', seat: null, points: null, at: [] });
    let view = one.before;
    for (const frame of frames) {
      view = applyEffects(one.game, view, frame.effects);
      expect(known(view)).toEqual(known(frame.view as AzulView));
      expect(frame.text).not.toContain('azul.');
    }
    const steps = one.effects.filter((effect) => ['tiled', 'bonus'].includes(effect.type)).length;
    expect(frames.length).toBeGreaterThan(steps);
  });

  it('has the points of every step', () => {
    const one = TILINGS.find(({ before }) => before.rules === '2')!;
    const frames = azulFrames(one.before, effectsOf(one), one.after, 'azul');
    expect(frames[0]!.text).toBe('The last tiles of the round are taken.');
    const points = frames.filter(({ points }) => points !== null).map((frame) => frame.points);
    const scored = stepsOf(one.effects, 'tiled', 'floor-scored', 'bonus');
    expect(points).toEqual(
      scored.filter((step) => step.type !== 'floor-scored' || step.floor).map((step) => step.points),
    );
  });

  it.each(named(TAKES))('is not shown after a move that ends no round: %s', (_, one) =>
    expect(azulFrames(one.before, effectsOf(one), one.after, one.game)).toEqual([]),
  );
});

describe('the summary of a round', () => {
  const ENDED = TILINGS.filter(({ effects }) => stepsOf(effects, 'offer-ended').length);
  it.each(named(ENDED))('has the points of every player: %s', (_, one) => {
    const summary = roundSummary(one.game, one.effects, one.before.boards.length);
    if (one.end.phase === 'tiling') {
      expect(summary).toBeNull(); // columns are still to be chosen
      return;
    }
    expect(summary!.round).toBe(one.before.round);
    expect(summary!.seats.map(({ points }) => points)).toEqual(
      one.end.boards.map((board, seat) => board.score - one.before.boards[seat]!.score),
    );
  });
  it('is not there while the round goes on', () => {
    for (const one of TAKES) expect(roundSummary(one.game, one.effects, one.before.boards.length)).toBeNull();
  });
  it('says what the points are for', () => {
    const begin: AzulEffect = { type: 'offer-ended', round: 2 };
    const end: AzulEffect = { type: 'round-begun', round: 3, starter: 0, discs_removed: false };
    const tiled: AzulEffect = {
      type: 'tiled',
      seat: 1,
      line: 2,
      column: 0,
      colour: 'B',
      across: 3,
      down: 2,
      points: 5,
    };
    const floor: AzulEffect = { type: 'floor-scored', seat: 1, floor: 'mB', saucer: '', points: -2 };
    expect(roundSummary('azul', [begin, tiled, floor, end], 2)).toEqual({
      round: 2,
      seats: [
        { lines: [], points: 0 },
        { lines: ['Line 3 to the wall: +5 (3 across, 2 down)', 'Floor line: −2'], points: 3 },
      ],
    });
    expect(roundSummary('azul', [end, begin, tiled], 2)).toBeNull();
  });
});

describe('tiles that travel', () => {
  it.each(named(TAKES))('are all tiles of a take: %s', (_, one) => {
    const moving = flights(one.game, one.before, one.effects, one.end);
    const [parts] = takesIn([one.move]);
    const own = moving.filter(({ from }) => from === `${parts!.source || 'C'}:${parts!.colour}`);
    expect(own).toHaveLength(parts!.number);
    const marker = one.effects.find((effect) => effect.type === 'marker-taken');
    expect(moving.filter(({ thing }) => thing === 'm')).toHaveLength(marker?.to ? 1 : 0);
    const { placed, floor, saucer } = placementOf(one.effects);
    const board = moving.filter(({ to }) => /^(line|floor|saucer):/.test(to));
    expect(board).toHaveLength((placed + floor + saucer).length);
    expect(new Set(board.map(({ to }) => to)).size, 'each to a space of its own').toBe(board.length);
  });
  it.each(named(TILINGS))('are those of the frames: %s', (_, one) => {
    let view = one.before;
    for (const frame of azulFrames(one.before, effectsOf(one), one.after, one.game)) {
      const tiled = stepsOf([...frame.effects], 'tiled') as Tiled[];
      const moving = flights(one.game, view, frame.effects, frame.view as AzulView);
      for (const step of tiled) expect(moving[0]!.to).toBe(`wall:${step.seat}:${step.line}:${step.column}`);
      if (tiled.length) expect(moving).toHaveLength(tiled[0]!.line + 1);
      view = frame.view as AzulView;
    }
  });
  it('move from the bag to the factories when they are filled', () => {
    const one = TILINGS.find(({ before, deals }) => before.rules === '2' && deals.length)!;
    const dealt = one.deals.flatMap(({ effects }) => effects);
    const moving = flights(one.game, one.end, dealt, one.after);
    expect(moving).toHaveLength(one.after.factories.join('').length);
    expect(moving.every(({ from }) => from === 'bag')).toBe(true);
  });
  it('are none if the effects do not lead from one position to the other', () => {
    const [one, other] = [TAKES[0]!, TAKES[3]!];
    expect(flights(other.game, other.before, one.effects, one.end)).toEqual([]);
    expect(flights(one.game, one.before, [], one.end)).toEqual([]);
  });
});

describe('the words', () => {
  it.each([
    ['azul', take(4, 'B', 3, 0), 'Ann takes 3 blue tiles from factory 4 to line 1.'],
    ['azul', take(4, 'B', 1, null), 'Ann takes 1 blue tile from factory 4 to the floor line.'],
    ['azul', take(0, 'K', 2, 4), 'Ann takes 2 black tiles from the centre to line 5.'],
    [
      'azul',
      take(4, 'R', 2, 1, 'B', 'Y'),
      'Ann takes 2 red tiles from factory 4 to line 2. To the left: blue. To the right: yellow.',
    ],
    ['chocolatier', ['cell', '4:2', 0, 3, 1], 'Ann puts the chocolate of line 4 in column 2 of the box.'],
    ['azul', ['deal', '+BBYR', 0, 'BBYR'], 'The next factory gets: 2 blue tiles, 1 yellow tile, 1 red tile.'],
    ['azul', ['disc', '5=keeper', 0, 5, 'keeper'], 'Factory 5 is special: Keeper.'],
    ['azul', ['extra', 'extra=W', 0, 'W'], 'The extra disc gets: 1 white tile.'],
    ['azul', ['start', 'start=2', 0, 1], 'The player at seat 2 starts.'],
  ] as [string, Move, string][])('of %s for %s', (game, move, words) =>
    expect(describeMove(game, move, 'Ann')).toBe(words),
  );

  const TAKE = take(1, 'R', 4, 2);
  const does = (effects: AzulEffect[], move = TAKE) => explain('azul', { typed: move[1], move, effects });
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
    const both = does([marker, placed(1, 0, false, null), fell(1, 0, 1)]);
    expect(both.map(({ text }) => text)).toEqual(['1 tile to line 1', 'Marker and 1 more: −2']);
    expect(does([fell(0, 4, 0)])).toEqual([{ tone: 'plain', text: '4 fall: no penalty' }]);
    const tiled: Tiled = { type: 'tiled', seat: 0, line: 3, column: 1, colour: 'R', across: 0, down: 3, points: 3 };
    const cell: Move = ['cell', '4:2', 0, 3, 1];
    expect(does([tiled], cell)).toEqual([{ tone: 'good', text: '+3 points' }]);
    expect(does([{ ...tiled, across: 2, points: 5 }], cell)[0]!.text).toBe('+5 points (2 across, 3 down)');
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

describe('the tiles of an edition', () => {
  const letters = (game: string) => lettersOf(game).join('');
  it('have their own letters, in the order of the game', () =>
    expect([letters('azul'), letters('chocolatier')]).toEqual(['BYRKW', 'BNWKR']));
  it('have names of their own for the same letter', () =>
    expect(['azul', 'chocolatier'].map((game) => colourName(game, 'R'))).toEqual(['red', 'ruby']));
  it('lie on the same cells of the wall', () => {
    expect([...'BYRKW'].map((letter) => inEdition('chocolatier', letter)).join('')).toBe('BNWKR');
    expect([...'byrkw.m'].map((letter) => inEdition('chocolatier', letter)).join('')).toBe('bnwkr.m');
    expect([...'BYRKWm'].map((letter) => inEdition('azul', letter)).join('')).toBe('BYRKWm');
  });
  it('are sorted in its order', () => {
    expect(inOrder('azul', 'WRKYB')).toBe('BYRKW');
    expect(inOrder('chocolatier', 'RWKNB')).toBe('BNWKR');
  });
  it('have a painting, an ornament and words in every edition', () => {
    for (const game of ['azul', 'chocolatier']) {
      const edition = editionOf(game);
      expect(Object.keys(GLAZES[edition]).sort()).toEqual([...lettersOf(game)].sort());
      expect(Object.keys(ORNAMENTS[edition]).sort()).toEqual([...lettersOf(game)].sort());
      const ornaments = Object.values(ORNAMENTS[edition]).map((one) => JSON.stringify(one));
      expect(new Set(ornaments).size).toBe(5);
    }
  });
  it('are named in what was played', () => {
    const disc = (kind: string): Move => ['disc', `3=${kind}`, 0, 3, kind];
    expect(describeMove('chocolatier', take(3, 'N', 2, 1), 'Ann')).toBe(
      'Ann takes 2 brown chocolates from plate 3 to line 2.',
    );
    expect(describeMove('chocolatier', take(0, 'R', 1, null), 'Ann')).toBe(
      'Ann takes 1 ruby chocolate from the centre to the waste line.',
    );
    expect(describeMove('chocolatier', take(3, 'R', 1, 1, 'B', 'N'), 'Ann')).toContain(
      'left: blue. To the right: brown.',
    );
    expect(describeMove('chocolatier', disc('magnetW'), '')).toBe('Plate 3 is special: Magnet for white.');
    expect(describeMove('azul', disc('magnetR'), '')).toBe('Factory 3 is special: Magnet for red.');
    expect(describeMove('chocolatier', disc('magnetR'), '')).toBe('Plate 3 is special: Magnet for ruby.');
  });
});
