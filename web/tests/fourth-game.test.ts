// A fourth game needs a folder and a line in the registry. Here it is registered by hand, and everything outside of the
// folders of the games works with it. A game that is not registered is shown with a message.
import type { Component } from 'svelte';
import { render } from 'svelte/server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import Board from '../src/boards/Board.svelte';
import { describeMove, explain } from '../src/boards/describe';
import { PICTURES } from '../src/boards/pictures';
import { PLAYS, playOf, type GamePlay } from '../src/boards/play';
import { GAMES, variantLabels, type GameModule } from '../src/boards/registry';
import { unknownGame } from '../src/boards/unknownGame';
import { loadTranslations } from '../src/lib/i18n.svelte';
import { settings } from '../src/lib/settings.svelte';
import { textOf } from '../src/lib/moves';
import type { Move, View } from '../src/lib/types';
import FrontPage from '../src/pages/FrontPage.svelte';
import NewTable from '../src/pages/NewTable.svelte';
import { defaultForm, restoreForm, tableRequestOf, variantOf } from '../src/pages/newTable';
import { classifyInput } from '../src/replay/input';
import { perspective, scoresOf } from '../src/replay/steps';
import Study from '../src/replay/Study.svelte';
import { logEntries } from '../src/table/moveLog';
import CubesBoard from './cubes/Board.svelte';
import Layout from './cubes/Layout.svelte';
import Picture from './cubes/Picture.svelte';

vi.hoisted(() => {
  globalThis.location = { pathname: '/', search: '', hash: '' } as Location; // read when the router is imported
});

const module: GameModule = {
  name: 'cubes',
  family: 'cubes',
  record: () => Promise.resolve({ default: '[Tilery "1"]\n[Game "cubes"]\n' }),
  settings: ['counts'],
  options: { height: 3 },
  variant: ({ height }) => [`height=${String(height)}`],
  optionWords: (name, value) => (name === 'height' ? `${value} high` : ''),
  firstSeatStarts: () => true,
  hasTeams: () => false,
};
const play: GamePlay<View> = {
  ...unknownGame,
  Board: CubesBoard,
  text: {
    Layout,
    example: 'up 1',
    parts: ([, , , act, place]) => [
      { step: 'act', value: String(act) },
      { step: 'place', value: String(place) },
    ],
    question: (_, part) => `Which ${part?.step}?`,
    choice: (_, part) => `to ${part.value}`,
    thing: (_, thing) => thing,
    actor: (view) => view.seat,
  },
  describeMove: (move, who) => `${who} goes ${textOf(move)}.`,
  scores: () => [4, 2],
  hasRounds: true,
};
const move = (act: string, place: number): Move => ['step', `${act} ${place}`, place, act, place];
const view: View = { rules: '2,height=3', phase: 'stacking', seat: 0 };
const board = (game: string) => ({
  ...{
    game,
    view,
    names: ['Ann', 'Ben'],
    viewer: 0,
    moves: [move('up', 1), move('up', 2), move('down', 1)],
    chosen: null,
    last: null,
  },
  ...{ choose: () => {}, look: () => {} },
});
const html = (page: unknown, props: object) => render(page as Component, { props }).body;

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: {} });
  vi.stubGlobal('navigator', { languages: ['en'] });
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  await loadTranslations();
  GAMES.push(module);
  PLAYS.set('cubes', play);
  PICTURES.set('cubes', Picture);
});
afterAll(() => {
  GAMES.pop();
  PLAYS.delete('cubes');
  PICTURES.delete('cubes');
});

describe('a fourth game', () => {
  it('can be chosen on the front page and for a new table', () => {
    for (const page of [html(FrontPage, {}), html(NewTable, { name: 'bot' })]) {
      expect(page).toContain('data-act="game-cubes"');
      expect(page).toContain('a picture of cubes');
    }
  });

  it('has its own options', () => {
    const form = restoreForm('bot', { ...defaultForm('bot'), game: 'cubes' });
    expect(form.game).toBe('cubes');
    expect(variantOf(form)).toBe('height=3');
    expect(tableRequestOf('bot', form, () => '')).toMatchObject({ game: 'cubes', variant: 'height=3' });
    expect(variantLabels('cubes', '2,height=3')).toEqual(['2 players', '3 high']);
  });

  it('has a board, drawn and as text', () => {
    expect(html(Board, board('cubes'))).toContain('Ann and Ben stack cubes in the phase stacking');
    settings.text = true;
    const text = html(Board, board('cubes'));
    settings.text = false;
    for (const part of ['cubes in words: stacking', 'Which act?', 'data-act="up"', 'to down', 'placeholder="up 1"'])
      expect(text).toContain(part);
  });

  it('has words for its moves', () => expect(describeMove('cubes', move('up', 1), 'Ann', [])).toBe('Ann goes up 1.'));

  it('can be logged, replayed and studied', () => {
    expect(logEntries('cubes', [{ actor: -1, move: ['deal', '+R', 0], effects: [] }], [])[0]).toMatchObject({
      round: 1,
    });
    expect(scoresOf('cubes', view)).toEqual([4, 2]);
    expect(perspective('cubes', view, 2)).toEqual({ open: true, seat: 0 });
    expect(classifyInput('cubes:2 stacking').kind).toBe('position');
    expect(playOf('cubes').frames(view, [], view)).toEqual([]);
    vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => {} });
    expect(html(Study, {})).toContain('data-act="example-cubes"');
  });
});

describe('a game of the server that is not registered', () => {
  it('is shown with a message, drawn and as text', () => {
    const message = 'does not know the game “chess”';
    expect(html(Board, board('chess'))).toContain(message);
    settings.text = true;
    expect(html(Board, board('chess'))).toContain(message);
    settings.text = false;
  });

  it('has moves in notation, and no rounds, scores or hidden information', () => {
    expect(describeMove('chess', ['move', 'e4', 0], 'Ann', [])).toBe('Ann: e4');
    const error = { kind: 'not-legal', code: 'pinned', text: 'no' };
    expect(explain('chess', { typed: 'e5', error }, view)).toEqual([{ tone: 'bad', text: 'no' }]);
    expect(variantLabels('chess', '2,blitz')).toEqual(['2 players', 'blitz']);
    expect(playOf('chess').scores(view)).toEqual([]);
    expect(playOf('chess').viewer(view)).toBeNull();
  });
});
