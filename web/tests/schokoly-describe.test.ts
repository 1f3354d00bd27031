import { beforeAll, describe, expect, it, vi } from 'vitest';
import { explain } from '../src/boards/describe';
import { describeMove, plyFacts } from '../src/boards/schokoly/describe';
import type { SchokolyEffect, SchokolyView } from '../src/boards/schokoly/wire';
import { settings } from '../src/lib/settings.svelte';
import { loadTranslations } from '../src/lib/i18n.svelte';
import type { Move, Ply } from '../src/lib/types';
import { REPLAYS, TURNS, schokolyTurn, type Turn } from './fixtures';

async function switchTo(language: string): Promise<void> {
  vi.stubGlobal('navigator', { languages: [] });
  vi.stubGlobal('document', { documentElement: {} });
  settings.language = language;
  await loadTranslations();
}

const turns = TURNS.filter(({ game }) => game === 'schokoly') as Turn<SchokolyView>[];
const games = REPLAYS.filter(({ game }) => game === 'schokoly');
const NAMES = ['Ann', 'Ben', 'Cleo'];
const lines = (turn: Turn<SchokolyView>, preview = turn.previews[0]!) =>
  explain('schokoly', preview, turn.view).map((fact) => `${fact.tone} ${fact.text}`);

const MOVES: Move[] = [
  ['kind', 'milk', 0, 'M'],
  ['lay', 'WDDM@3,-2', 0, 'DDMW', 1, 3, -2, 1],
  ['lay', 'WDDM@3,-2^', 0, 'DDMW', 1, 3, -2, 2],
  ['token', 'token@0,0', 0, 0, 0],
  ['no-token', 'no-token', 0],
  ['pass', 'pass', 0],
  ['offer', 'offer:DDDM>2', 0, 1, 'DDDM', null],
  ['offer', 'offer:?1>2', 0, 1, null, 1],
  ['answer', 'answer:MMWD', 0, 'MMWD', null],
  ['answer', 'answer:?2', 0, null, 2],
  ['accept', 'accept', 0, null],
  ['decline', 'decline', 0],
];
const DRAWS: Move[] = [
  ['draw', '+DDMW', 0, 'DDMW'],
  ['draw', '+?', 0, null],
];

describe.each(['en', 'ru', 'uk', 'ro'])('in %s', (language) => {
  beforeAll(() => switchTo(language));

  it.each(MOVES)('a move is a sentence: %s %s', (...move) =>
    expect(describeMove(move, 'Ann', NAMES)).toMatch(/^Ann .+\.$/),
  );
  it.each(DRAWS)('a step of chance is a sentence: %s %s', (...move) => expect(describeMove(move, '')).toMatch(/\.$/));

  it('explains every move of real games with complete texts', () => {
    const all = [
      ...turns.flatMap((turn) => turn.previews.flatMap((preview) => lines(turn, preview))),
      ...games.flatMap((game) => plyFacts(game.steps, NAMES).flatMap((facts) => facts.map((fact) => fact.text))),
    ];
    expect(all.length).toBeGreaterThan(100);
    for (const line of all) {
      expect(line).not.toContain('schokoly.');
      expect(line).not.toMatch(/[{}]|undefined|NaN/);
    }
  });
});

describe('the explanation of a move', () => {
  beforeAll(() => switchTo('en'));
  const place = schokolyTurn('2', 'place');
  const team = schokolyTurn('4,large', 'place');

  it('begins with the viewer’s own points', () => {
    const laid = place.previews.find((one) => one.move?.[0] === 'lay')!;
    expect(lines(place, laid)[0]).toMatch(/^\w+ You: \d+ → \d+$/);
  });
  it('gives the points of the team', () =>
    expect(
      lines(
        team,
        team.previews.find((one) => one.move?.[0] === 'lay'),
      )[0],
    ).toMatch(/^\w+ Your team: \d+ → \d+$/));
  it('says what is covered and what it costs', () => {
    const [turn, stacked] = turns
      .flatMap((one) => one.previews.map((preview) => [one, preview] as const))
      .find(([, { effects = [] }]) => effects.some(({ type }) => type === 'token-spent'))!;
    const left = turn.view.tokens[turn.seat]! - 1;
    expect(lines(turn, stacked)).toContainEqual(expect.stringMatching(/^plain Covers: \d/));
    expect(lines(turn, stacked)).toContainEqual(`plain Costs a token, left: ${left}`);
  });
  it('gives the reason why it is illegal', () => {
    const illegal = place.previews.filter((one) => one.error);
    expect(illegal.length).toBeGreaterThan(0);
    for (const preview of illegal) expect(lines(place, preview)).toEqual([expect.stringMatching(/^bad .+/)]);
  });
  it('gives the number announced in a swap', () => {
    const swap = schokolyTurn('3,large,swap', 'place');
    const offer = swap.previews.find((one) => one.move?.[0] === 'offer')!;
    expect(lines(swap, offer)).toEqual([expect.stringMatching(/^plain The other player learns: \d \w+$/)]);
  });
});

describe('the facts of a game', () => {
  beforeAll(() => switchTo('en'));
  const group = (size: number, x: number) => {
    return { kind: 'D', size, cells: [[x, 0]] as [number, number][], seat: 0, scores: false, contacts: {} };
  };
  const done = (...effects: SchokolyEffect[]): Ply => ({ actor: 0, move: ['lay', 'x', 0], effects });
  const texts = (...plies: Ply[]) => plyFacts(plies, NAMES).map((facts) => facts.map(({ text }) => text));

  it('are points that have changed, groups that were joined, and what was covered', () => {
    const kinds = done({ type: 'kind-chosen', seat: 0, kind: 'D' }, { type: 'kind-chosen', seat: 1, kind: 'W' });
    const first = done({ type: 'points-changed', points: [3, 0] });
    const joined = { type: 'groups-changed', old: [group(3, 0), group(2, 1)], new: [{ ...group(6, 0) }] } as const;
    joined.new[0]!.cells.push([1, 0]);
    const laid = { type: 'laid', seat: 0, card: 'DDDM', pieces: 'DDDM', x: 0, y: 0, level: 1 } as const;
    const second = done(laid, { type: 'covered', x: 0, y: 0, kind: 'W' }, joined as unknown as SchokolyEffect, {
      type: 'points-changed',
      points: [6, 0],
    });
    expect(texts(kinds, first, second).at(-1)).toEqual([
      'Dark: 3 → 6',
      'Joins 2 dark groups into one of 6',
      'Covers: 1 white',
    ]);
  });
  it('are the cards of a swap, as far as they are known', () => {
    const swapped = { type: 'swapped', seat: 1, partner: 2, given: 'DDDM', got: null } as const;
    expect(texts(done(swapped))).toEqual([['Cleo gets: 3 dark, 1 milk']]);
    expect(texts(done({ ...swapped, given: null }))).toEqual([[]]);
  });
});
