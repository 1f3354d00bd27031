import { beforeEach, describe, expect, it, vi } from 'vitest';
import azulExample from '../src/boards/azul/examples/azul.tilery?raw';
import examplePosition from '../src/boards/azul/examples/position.txt?raw';
import { classifyInput, gameIn, locateTextError } from '../src/replay/input';
import { plyIn, positionHash, positionIn } from '../src/lib/links';
import {
  nextStop,
  previousStop,
  clamp,
  effectsBetween,
  moveListEntries,
  perspective,
  lastMove,
  scoresOf,
  stopOf,
  stopPlies,
} from '../src/replay/steps';
import { VariationExplorer } from '../src/replay/variation.svelte';
import { playOf } from '../src/boards/play';
import { viewsOf } from '../src/lib/changes';
import type { Effect, Ply, StudyRequest, View } from '../src/lib/types';
import { REPLAYS, STUDIES } from './fixtures';

const ply = (actor: number, text: string, ...effects: Effect[]): Ply => ({ actor, move: ['', text, 0], effects });
const effect = (type: string): Effect => ({ type });
const history: Ply[] = [
  ply(-1, '+BBYR'),
  ply(-1, '+KKWW'),
  ply(0, '1B1', effect('taken')),
  ply(1, '2K2', effect('taken'), effect('placed')),
  ply(-1, '+BRRR', effect('dealt')),
  ply(0, '1R1'),
];

describe('stepping through a game', () => {
  it('stops after every ply, or joins deals with the move before them', () => {
    expect(stopPlies(history, true)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(stopPlies(history, false)).toEqual([2, 3, 5, 6]);
  });
  it('tells what happened in a step forward, and nothing after a jump or a step back', () => {
    const stops = stopPlies(history, false);
    const types = (from: number, to: number) => effectsBetween(history, stops, from, to).map(({ type }) => type);
    expect(types(3, 5)).toEqual(['taken', 'placed', 'dealt']);
    expect([types(2, 5), types(5, 3), types(6, 6)]).toEqual([[], [], []]);
  });
  it('goes forward and back, and stays at the ends', () => {
    const stops = stopPlies(history, false);
    expect([nextStop(stops, 0), nextStop(stops, 3), nextStop(stops, 6)]).toEqual([2, 5, 6]);
    expect([previousStop(stops, 6), previousStop(stops, 4), previousStop(stops, 2)]).toEqual([5, 3, 2]);
  });
  it('shows a ply between two stops at the next one', () => {
    expect(stopOf(stopPlies(history, false), 4)).toBe(5);
    expect(stopOf([0], 9)).toBe(0);
  });
  it('keeps a ply within the game', () =>
    expect([clamp(-3, 6), clamp(9, 6), clamp(NaN, 6), clamp(2.7, 6)]).toEqual([0, 6, 0, 2]));
  it('remembers the last move of a player while chance deals', () => {
    expect(lastMove(history, 5)).toEqual({ seat: 1, move: history[3]!.move });
    expect(lastMove(history, 2)).toBeNull();
  });
  it('lists moves with or without deals, and what they did', () => {
    const { game, steps } = REPLAYS[0]!;
    expect(moveListEntries(game, steps, [], true)).toHaveLength(steps.length);
    const list = moveListEntries(game, steps, [], false);
    expect(list.map((entry) => entry.ply)).toEqual(steps.flatMap(({ actor }, at) => (actor < 0 ? [] : [at + 1])));
    expect(list[0]!.move).toBe(steps[list[0]!.ply - 1]!.move);
    expect(list.some((entry) => entry.facts.length)).toBe(true);
  });
  it('can be shown from the perspective of every seat, unless it is what one seat saw', () => {
    expect(perspective('azul', {} as View, 3)).toEqual({ open: true, seat: 0 });
    expect(perspective('schokoly', { viewer: null } as unknown as View, 2)).toEqual({ open: true, seat: 0 });
    expect(perspective('schokoly', { viewer: 1 } as unknown as View, 2)).toEqual({ open: false, seat: 1 });
    expect(perspective('schokoly', { viewer: -3 } as unknown as View, 2)).toEqual({ open: false, seat: null });
  });
});

describe('a pasted text', () => {
  it('is a record, a position, a table, nothing or unknown', () => {
    expect(classifyInput('  ').kind).toBe('nothing');
    expect(classifyInput('hello').kind).toBe('unknown');
    expect(classifyInput(azulExample).kind).toBe('record');
    expect(classifyInput(examplePosition)).toEqual({ kind: 'position', text: examplePosition });
    expect(
      [azulExample, ` ${examplePosition}`, 'chocolatier:2 x', 'chess:2 x', 'k7vq2m9xwp3d', ''].map(gameIn),
    ).toEqual(['azul', 'azul', 'chocolatier', '', '', '']);
    expect(classifyInput('k7vq2m9xwp3d')).toEqual({ kind: 'table', text: 'k7vq2m9xwp3d', ply: 0 });
    const link = 'https://example.org/t/k7vq2m9xwp3d#ply=17';
    expect(classifyInput(link)).toEqual({ kind: 'table', text: 'k7vq2m9xwp3d', ply: 17 });
  });
  it('may be a link to a position', () => {
    const link = `http://localhost/study${positionHash(examplePosition)}`;
    expect(classifyInput(link)).toEqual({ kind: 'position', text: examplePosition });
  });
  it('a position can be part of an address', () =>
    expect(positionIn(positionHash(examplePosition))).toBe(examplePosition));
  it('an address without a position or ply has none', () => {
    expect(positionIn('#ply=3')).toBe('');
    expect(positionIn('#position=%E0%A4%A')).toBe('');
    expect([plyIn('#ply=3'), plyIn(''), plyIn('#ply=x')]).toEqual([3, null, null]);
  });
  it('shows the place of the error that the server reports', () => {
    const text = '[Tilery "1"]\n\n1. +KKWW\n5B1 3Y1 1K1';
    const textError = locateTextError({ line: 4, column: 9 }, text);
    expect(textError).toMatchObject({ before: '5B1 3Y1 ', behind: '1K1' });
    expect(text.slice(textError!.start)).toBe('1K1');
    expect(locateTextError({}, text)).toBeNull();
  });
});

describe('the positions of a replay', () => {
  it.each(REPLAYS.map((one) => [`${one.game} ${one.variant}, ${one.steps.length} plies`, one] as const))(
    'follow from the changes: %s',
    (_, { game, start, steps, result, breakdown }) => {
      const views = viewsOf(start, steps);
      expect(views).toHaveLength(steps.length + 1);
      const { actor: actorOf } = playOf(game).text!;
      expect(views.slice(0, -1).map(actorOf)).toEqual(steps.map(({ actor }) => (actor < 0 ? null : actor)));
      const total = breakdown?.find((item) => item.code === 'total');
      if (total) expect(scoresOf(game, views.at(-1)!)).toEqual(total.points);
      expect(Boolean(total)).toBe(result !== '*');
    },
  );
});

describe('a variation', () => {
  type Studied = (typeof STUDIES)[number];
  const [opening, played, , previewed, refused, further, last, ended, dealt] = STUDIES;
  const made = (one?: Studied) => one!.request.moves![0]!;
  const key = ({ position, moves = [], deal = false, preview = [] }: StudyRequest) =>
    JSON.stringify([position, moves, deal, preview]);
  const stored = new Map<string, string>();
  let asked: StudyRequest[];
  let explorer: VariationExplorer;

  beforeEach(() => {
    asked = [];
    stored.clear();
    explorer = new VariationExplorer();
    vi.stubGlobal('sessionStorage', {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => stored.set(name, value),
    });
    // The server knows exactly the answers of the fixtures.
    vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
      asked.push(JSON.parse(body));
      const answer = STUDIES.find(({ request }) => key(request) === key(asked.at(-1)!));
      if (!answer) throw new Error(`no answer for ${body}`);
      return Promise.resolve({ ok: true, json: () => Promise.resolve(answer.response) });
    });
  });
  const texts = () => explorer.steps.map((step) => step.text);

  it('grows by one request for each move', async () => {
    await explorer.open(opening!.request.position);
    await explorer.play(made(played));
    await explorer.play(made(further));
    expect(asked.map(({ moves }) => moves)).toEqual([undefined, [made(played)], [made(further)]]);
    expect(texts()).toEqual([played!.response.text, further!.response.text]);
    expect(explorer.now!.moves).toEqual(further!.response.moves);
    expect(explorer.effects).toEqual(further!.response.steps[0]!.effects);
    expect(explorer.view).toEqual(viewsOf(further!.response.start, further!.response.steps)[1]);
  });

  it('is stepped through without a request where it has been', async () => {
    await explorer.open(opening!.request.position);
    await explorer.play(made(played));
    await explorer.play(made(further));
    await explorer.go(1);
    expect([explorer.at, explorer.effects]).toEqual([1, []]);
    expect(explorer.now!.text).toBe(played!.response.text);
    await explorer.go(2);
    expect(explorer.effects).toEqual(further!.response.steps[0]!.effects);
    await explorer.go(0);
    expect(asked).toHaveLength(3);
    await explorer.play(made(played)); // what followed is replaced
    expect(texts()).toEqual([played!.response.text]);
  });

  it('goes on with a deal', async () => {
    await explorer.open(last!.request.position);
    await explorer.play(made(ended));
    expect(explorer.now!.actor).toBe(-1);
    await explorer.deal();
    expect(asked.at(-1)).toEqual(dealt!.request);
    expect(explorer.steps.slice(1).map(({ actor }) => actor)).toEqual(dealt!.response.steps.map(() => -1));
    expect(explorer.at).toBe(1 + dealt!.response.steps.length);
    expect(explorer.now!.actor).toBeGreaterThanOrEqual(0);
  });

  it('is kept for a reload, which needs one request', async () => {
    await explorer.open(opening!.request.position);
    await explorer.play(made(played));
    await explorer.play(made(further));
    const position = played!.response.text;
    asked = [];
    explorer = new VariationExplorer();
    await explorer.open(position);
    expect([explorer.at, texts()]).toEqual([1, [position, further!.response.text]]);
    expect(asked).toEqual([{ position }]);
    explorer = new VariationExplorer();
    await explorer.open(last!.request.position);
    expect([explorer.at, texts()]).toEqual([0, []]);
  });

  it('has previews of moves, also of those that are typed and of illegal ones', async () => {
    await explorer.open(opening!.request.position);
    await explorer.play(made(played));
    const [legal, wrong] = [previewed!, refused!].map(({ request }) => request.preview![0]!) as [string, string];
    expect((await explorer.preview(legal))!.move![1]).toBe(legal);
    expect((await explorer.preview(wrong))!.error!.code).toBe(refused!.response.previews[0]!.error!.code);
    await explorer.preview(legal);
    expect(asked).toHaveLength(4);
  });
});
