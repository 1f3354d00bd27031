import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import azulMoments from './fixtures/text-azul.json';
import schokolyMoments from './fixtures/text-schokoly.json';
import { floorHolds, lineHolds, passWords, pileWords } from '../src/boards/azul/text/words';
import { playOf } from '../src/boards/play';
import { cardWords, inOrder, swapWords } from '../src/boards/schokoly/text/words';
import { choices } from '../src/boards/text/moveParts';
import { MoveBuilder } from '../src/boards/text/moveBuilder.svelte';
import { settings } from '../src/lib/settings.svelte';
import type { GameName, View } from '../src/lib/types';
import type { SchokolyView } from '../src/boards/schokoly/view';
import type { BoardProps } from '../src/boards/types';
import { loadTranslations, type Language } from '../src/lib/i18n.svelte';
import { scoreItemLabel } from '../src/lib/labels';

interface Moment {
  game: GameName;
  seat: number;
  view: View;
  moves: string[];
}
const moments = [...azulMoments, ...schokolyMoments] as unknown as Moment[];
const textOf = (game: GameName) => playOf(game).text!;
const RAW = /spoken\.|replay\.|[{}]|^$/; // a key, or a placeholder that was not filled in
const NAMES = ['Ann', 'Ben', 'Cleo'];

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
    for (const { game, seat, view, moves } of moments) {
      const text = textOf(game);
      for (const part of moves.flatMap((move) => text.parts(move)))
        for (const words of [text.choice(view, part, seat, NAMES), text.question(view, part)])
          expect(words).not.toMatch(RAW);
    }
  });
  it('everything that a tour points at has a text', () => {
    const things = 'factory:3 disc:2 centre lines line:2 wall row:1 column:4 cell:3:3 floor board:2:line:1';
    for (const thing of things.split(' '))
      for (const game of ['azul', 'chocolatier'] as const)
        expect(textOf(game).thing(moments[0]!.view, thing)).not.toMatch(RAW);
    const view = moments.at(-1)!.view as SchokolyView;
    const group = `group:${view.groups[0]!.cells[0]!.join()}`;
    for (const thing of ['hand', 'table', 'stack', 'seats', 'card:-2,0', group])
      expect(textOf('schokoly').thing(view, thing)).not.toMatch(RAW);
  });
  it('every score item has a text', () => {
    const bonuses = ['complete rows, 2 each', 'complete columns, 7 each', 'complete colours, 10 each'];
    for (const what of ['wall tiling, less the floor line', ...bonuses, 'total'])
      expect(scoreItemLabel('azul', what)).not.toMatch(RAW);
    for (const what of ['largest group of its own kind', 'neutral group of milk at 0,-4'])
      expect(scoreItemLabel('schokoly', what)).not.toMatch(RAW);
  });
});

describe('the text board', () => {
  beforeEach(() => switchTo('en'));

  it('describes piles, lines and floor lines', () => {
    expect(pileWords('BBYW')).toBe('2 blue, 1 yellow, 1 white');
    expect(pileWords('')).toBe('empty');
    expect(lineHolds('KK', 4)).toBe('black, 2 of 4');
    expect(lineHolds('', 3)).toBe('empty, 0 of 3');
    expect(floorHolds('mRB')).toBe('starting-player marker, red, blue');
  });
  it('uses the plural forms of the language', async () => {
    await switchTo('ru');
    expect(pileWords('BYYRRRRR')).toBe('1 синяя, 2 жёлтые, 5 красных');
    await switchTo('ro');
    expect(pileWords('BYY')).toBe('1 albastră, 2 galbene');
  });
  it('says where the rest of the spreader goes', () => {
    expect(passWords('<BK>Y')).toBe('Left: blue, black. Right: yellow.');
    expect(passWords('<BK')).toBe('All to the left: blue, black');
    expect(passWords('>Y')).toBe('All to the right: yellow');
  });
  it('describes a card row by row, though it is written clockwise', () =>
    expect(cardWords('DDMW')).toBe('above dark, dark; below white, milk'));
  it('describes a swap as far as the viewer may know', () => {
    const answering = schokolyMoments.find((one) => one.view.phase === 'answer')! as unknown as Moment;
    expect(swapWords(answering.view as SchokolyView, NAMES)).toEqual([
      'Offer: Ben to Ann: a hidden card. Pieces of the other’s kind on it: 2.',
    ]);
  });
  it('lists spots by level, row and column', () => {
    const spots = ['3,-2^', '1,0', '-1,0', '0,-4', '3,-3^'].map((value) => ({ step: 'spot' as const, value }));
    expect(inOrder(spots).map((spot) => spot.value)).toEqual(['0,-4', '-1,0', '1,0', '3,-3^', '3,-2^']);
  });
});

describe('the move builder', () => {
  const moment = moments[0]!;
  const setUp = () => {
    const made: (string | null)[] = [];
    const choose = (move: string | null) => made.push((props.chosen = move));
    const props = { ...moment, chosen: null as string | null, choose };
    const builder = new MoveBuilder(
      () => props as unknown as BoardProps<View>,
      () => textOf(moment.game),
    );
    return { made, props, builder };
  };
  const take = choices(textOf(moment.game).parts, moment.moves, [])[0]!;

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
    expect(legal).toEqual(moment.moves.filter((move) => move.startsWith(take.value)));
  });
  it('goes back: it undoes the choice, then step by step', () => {
    const { made, builder } = setUp();
    builder.jump(take.moves[0]!);
    expect(builder.back()).toBe(true);
    expect(made).toEqual([take.moves[0], null]);
    expect(builder.path).toHaveLength(1);
    expect(builder.back()).toBe(true);
    expect(builder.path).toHaveLength(0);
    expect(builder.back()).toBe(false);
  });
});
