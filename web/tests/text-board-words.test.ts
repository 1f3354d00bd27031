import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { floorHolds, lineHolds, passWords, pileWords } from '../src/boards/azul/text/words';
import { playOf } from '../src/boards/play';
import { cardWords, inOrder, swapWords } from '../src/boards/schokoly/text/words';
import { choices, pathOf } from '../src/boards/text/moveParts';
import { MoveBuilder } from '../src/boards/text/moveBuilder.svelte';
import { settings } from '../src/lib/settings.svelte';
import { textOf } from '../src/lib/moves';
import type { GameName, Move, View } from '../src/lib/types';
import type { BoardProps } from '../src/boards/types';
import type { Choice } from '../src/boards/text/types';
import { REPLAYS, TURNS, schokolyTurn } from './fixtures';
import { loadTranslations, type Language } from '../src/lib/i18n.svelte';
import { scoreItemLabel } from '../src/lib/labels';

const textBoardOf = (game: GameName) => playOf(game).text!;
const RAW = /spoken\.|replay\.|undefined|[{}]|^$/; // a key, or a placeholder that was not filled in

beforeAll(() => {
  vi.stubGlobal('document', { documentElement: {} });
  vi.stubGlobal('navigator', { languages: ['en'] });
});
const switchTo = async (language: Language): Promise<void> => {
  settings.language = language;
  await loadTranslations();
};

describe.each(['en', 'ru', 'uk', 'ro'] as const)('in %s', (language) => {
  beforeEach(() => switchTo(language));

  it('every part of every move has a text', () => {
    for (const { game, seat, view, moves, names } of TURNS) {
      const text = textBoardOf(game);
      for (const choice of moves.flatMap((move) => pathOf(text.parts, move)))
        for (const words of [text.choice(view, choice, seat, names), text.question(view, choice)])
          expect(words).not.toMatch(RAW);
    }
  });
  it('everything that a tour points at has a text', () => {
    const things = 'factory:3 disc:2 centre lines line:2 wall row:1 column:4 cell:3:3 floor board:2:line:1';
    for (const thing of things.split(' '))
      for (const game of ['azul', 'chocolatier'] as const)
        expect(textBoardOf(game).thing(TURNS[0]!.view, thing)).not.toMatch(RAW);
    const { view } = schokolyTurn('2', 'place');
    const group = `group:${view.groups[0]!.cells[0]!.join()}`;
    for (const thing of ['hand', 'table', 'stack', 'seats', 'card:-2,0', group])
      expect(textBoardOf('schokoly').thing(view, thing)).not.toMatch(RAW);
  });
  it('every score item has a text', () => {
    const azul = ['tiling', 'rows', 'columns', 'colours', 'total'].map((code) => ({ code, points: [] }));
    for (const game of ['azul', 'chocolatier'])
      for (const item of azul) expect(scoreItemLabel(game, item)).not.toMatch(RAW);
    const items = REPLAYS.flatMap(({ game, breakdown }) => (game === 'schokoly' ? (breakdown ?? []) : []));
    expect(items.map(({ code }) => code)).toContain('neutral-group');
    for (const item of items) {
      expect(scoreItemLabel('schokoly', item)).not.toMatch(RAW);
      expect(scoreItemLabel('schokoly', item)).not.toBe(item.code);
    }
  });
});

describe('the text board', () => {
  beforeEach(() => switchTo('en'));

  it('describes piles, lines and floor lines', () => {
    expect(pileWords('azul', 'BBYW')).toBe('2 blue, 1 yellow, 1 white');
    expect(pileWords('azul', '')).toBe('empty');
    expect(lineHolds('azul', 'KK', 4)).toBe('black, 2 of 4');
    expect(lineHolds('azul', '', 3)).toBe('empty, 0 of 3');
    expect(floorHolds('azul', 'mRB')).toBe('starting-player marker, red, blue');
  });
  it('uses the plural forms of the language', async () => {
    await switchTo('ru');
    expect(pileWords('azul', 'BYYRRRRR')).toBe('1 синяя, 2 жёлтые, 5 красных');
    await switchTo('ro');
    expect(pileWords('azul', 'BYY')).toBe('1 albastră, 2 galbene');
  });
  it('says where the rest of the spreader goes', () => {
    expect(passWords('azul', 'BK', 'Y')).toBe('Left: blue, black. Right: yellow.');
    expect(passWords('azul', 'BK', '')).toBe('All to the left: blue, black');
    expect(passWords('azul', '', 'Y')).toBe('All to the right: yellow');
  });
  it('describes a card row by row, though it is written clockwise', () =>
    expect(cardWords('DDMW')).toBe('above dark, dark; below white, milk'));
  it('describes a swap as far as the viewer may know', () => {
    const { view, names, seat } = schokolyTurn('3,large,swap', 'answer');
    expect(swapWords(view, names)).toEqual([
      `Offer: ${names[view.seat!]} to ${names[seat]}: a hidden card. Pieces of the other’s kind on it: ${view.offer!.number}.`,
    ]);
  });
  it('lists spots by level, row and column', () => {
    const spots = ['3,-2^', '1,0', '-1,0', '0,-4', '3,-3^'].map((value): Choice => {
      const [x, y, up] = value.split(/,|(?=\^)/);
      const move: Move = ['lay', `DDDM@${value}`, 0, 'DDDM', 0, Number(x), Number(y), up ? 2 : 1];
      return { step: 'spot', value, moves: [move], move: textOf(move) };
    });
    expect(inOrder(spots).map((spot) => spot.value)).toEqual(['0,-4', '-1,0', '1,0', '3,-3^', '3,-2^']);
  });
});

describe('the move builder', () => {
  const moment = TURNS[0]!;
  const setUp = () => {
    const made: (string | null)[] = [];
    const choose = (move: string | null) => made.push((props.chosen = move));
    const props = { ...moment, chosen: null as string | null, choose };
    const builder = new MoveBuilder(
      () => props as unknown as BoardProps<View>,
      () => textBoardOf(moment.game),
    );
    return { made, props, builder };
  };
  const take = choices(textBoardOf(moment.game).parts, moment.moves, [])[0]!;

  it('proceeds step by step, and the last step chooses', () => {
    const { made, builder } = setUp();
    builder.pick(take);
    expect(builder.step).toBe('line');
    const line = builder.offered.find((one) => one.legal)!;
    builder.pick(line);
    expect(made).toEqual([`${take.value}${line.value}`]);
  });
  it('offers all lines, with illegal ones marked', () => {
    const { builder } = setUp();
    builder.pick(take);
    expect(builder.offered.map((one) => one.value)).toEqual(['1', '2', '3', '4', '5', 'F']);
    const legal = builder.offered.filter((one) => one.legal).map((one) => one.move);
    expect(legal).toEqual(take.moves.map(textOf));
  });
  it('goes back: it undoes the choice, then step by step', () => {
    const { made, builder } = setUp();
    const move = textOf(take.moves[0]!);
    builder.jump(move);
    expect(builder.back()).toBe(true);
    expect(made).toEqual([move, null]);
    expect(builder.path).toHaveLength(1);
    expect(builder.back()).toBe(true);
    expect(builder.path).toHaveLength(0);
    expect(builder.back()).toBe(false);
  });
});
