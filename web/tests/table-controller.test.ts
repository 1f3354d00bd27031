// The controller of a table, fed with what the server sends at tables of the library's games.
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { notices } from '../src/lib/announcements.svelte';
import { loadTranslations } from '../src/lib/i18n.svelte';
import { textOf } from '../src/lib/moves';
import { settings } from '../src/lib/settings.svelte';
import type { Hint, Played, Update } from '../src/lib/types';
import { TableController } from '../src/table/controller.svelte';
import type { Scene } from '../src/table/playback.svelte';
import { TABLES, type TableMessages } from './fixtures';
import { lastSocket, stubBrowser } from './socket';

let controller: TableController;
const answers = new Map<string, unknown>(); // responses to requests, by the end of the path
let requested: string[];

beforeAll(async () => {
  stubBrowser();
  vi.stubGlobal('navigator', { languages: ['en'] });
  await loadTranslations();
});
beforeEach(() => {
  vi.useFakeTimers();
  stubBrowser();
  settings.confirm = 'off';
  settings.speed = 'normal';
  answers.clear();
  requested = [];
  vi.stubGlobal('fetch', (path: string) => {
    const name = path.replace(/^.*\/|\?.*$/g, '');
    requested.push(name);
    const answer = answers.get(name);
    return answer ? Promise.resolve(Response.json(answer)) : Promise.reject(new Error('offline'));
  });
});
afterEach(() => {
  controller.end();
  vi.useRealTimers();
});

const tableOf = (game: string, seats: string) => TABLES.find((one) => one.game === game && one.seats === seats)!;
function enter(table: TableMessages): TableMessages {
  controller = new TableController('k7vq2m9xwp3d');
  lastSocket().opens();
  lastSocket().receives(table.welcome);
  return table;
}
const played = ({ events }: Update) => events.find((event): event is Played => event.type === 'played');
const effectTypes = (update: Update) => played(update)?.plies.flatMap(({ effects }) => effects.map(({ type }) => type));
const isRoundEnd = (update: Update) => effectTypes(update)?.some((type) => type === 'tiled' || type === 'floor-scored');
const settle = () => vi.advanceTimersByTimeAsync(12_000); // longer than any animation, less than a heartbeat

describe('a table', () => {
  it.each(TABLES)('shows one position after another: $game $seats', async (table) => {
    enter(table);
    for (const [at, update] of table.updates.entries()) {
      lastSocket().receives(update);
      await settle();
      expect(controller.scene?.state.position).toEqual(table.states[at]!.position);
      const { seat, plies } = played(update)!;
      expect(controller.scene?.last).toEqual({ seat, move: plies[0]!.move });
      const mine = table.states[at]!.status === 'playing' ? (table.states[at]!.moves ?? []) : [];
      expect(controller.moves).toEqual(controller.covered ? [] : mine);
    }
    expect(requested, 'what was done is not asked for').toEqual([]);
  });

  it('plays frames when a round ends, and at no other move', async () => {
    const table = enter(tableOf('azul', 'ab'));
    const push = vi.spyOn(controller.playback, 'push');
    for (const update of table.updates) {
      lastSocket().receives(update);
      const scene = push.mock.lastCall![0] as Scene;
      expect(scene.frames.length > 0).toBe(isRoundEnd(update));
      expect(scene.effects.map(({ type }) => type)).toEqual(effectTypes(update));
      await settle();
    }
    expect(push).toHaveBeenCalledTimes(table.updates.length);
    expect(table.updates.filter(isRoundEnd).length).toBeGreaterThan(0);
  });

  it('can be played on as soon as the newest move is shown', async () => {
    const table = enter(tableOf('azul', 'a*'));
    const at = table.states.findIndex(({ moves }) => moves?.length);
    for (const update of table.updates.slice(0, at + 1)) lastSocket().receives(update);
    expect(controller.moves).toEqual([]);
    await settle();
    const [move] = table.states[at]!.moves!;
    controller.choose(textOf(move!));
    expect(lastSocket().sent.at(-1)).toMatchObject({ type: 'play', move: textOf(move!), step: table.states[at]!.step });
    expect(controller.moves).toEqual([]);
    expect(controller.preview?.move, 'it is still drawn').toEqual(move);
  });

  it('says why a move was refused', async () => {
    const { welcome } = enter(tableOf('azul', 'ab'));
    const move = textOf(welcome.state.moves![0]!);
    controller.choose(move);
    const { id } = lastSocket().sent.at(-1)!;
    const error = { kind: 'not-legal', code: 'line-full', text: 'line 1 is full', arguments: { line: 0 } };
    lastSocket().receives({ type: 'reply', id, ok: false, error });
    await vi.waitFor(() => expect(controller.pendingMove.move).toBeNull());
    expect(notices.at(-1)?.text).toBe('Line 1 is full.');
    expect(controller.moves.length).toBeGreaterThan(0);
  });
});

describe('what a move would do', () => {
  it('is asked once, and shown for the chosen move and the one that is pointed at', async () => {
    const { welcome } = enter(tableOf('azul', 'ab'));
    settings.confirm = 'on';
    const [first, second] = welcome.state.moves!;
    const preview = (move = first!) => ({ typed: textOf(move), move, effects: [{ type: 'offer-ended', round: 1 }] });
    answers.set('preview', { step: welcome.state.step, previews: [preview()] });
    controller.choose(textOf(first!));
    await vi.advanceTimersByTimeAsync(200);
    expect(controller.facts.map(({ text }) => text)).toEqual(['This ends the round']);
    answers.set('preview', { step: welcome.state.step, previews: [{ typed: 'hello', error: { text: 'no move' } }] });
    controller.look('hello');
    await vi.advanceTimersByTimeAsync(200);
    expect(controller.preview).toMatchObject({ typed: 'hello' });
    expect(controller.facts).toEqual([{ tone: 'bad', text: 'no move' }]);
    controller.look(null);
    expect(controller.preview?.move).toEqual(first);
    expect(requested).toEqual(['preview', 'preview']);
    expect(second).toBeDefined();
  });
});

describe('a hint', () => {
  const ask = async (step: number, table: TableMessages) => {
    const [move] = table.welcome.state.moves!;
    const variations = [{ moves: [move!], win: 0.6, margin: 2, nodes: 9, solved: false }];
    answers.set('hint', { step, engine: 'e', variations, horizon: 'game', solved: false, depth: 3, nodes: 9 } as Hint);
    await controller.requestHint();
    return textOf(move!);
  };

  it('is shown at its step, and no longer once the game has moved on', async () => {
    const table = enter(tableOf('azul', 'a*'));
    const move = await ask(table.welcome.state.step, table);
    expect(controller.pointed).toBe(move);
    expect(controller.hint?.variations).toHaveLength(1);
    lastSocket().receives(table.updates[0]);
    expect([controller.hint, controller.pointed]).toEqual([null, null]);
  });

  it('of an older step is never shown', async () => {
    const table = enter(tableOf('azul', 'a*'));
    await ask(table.welcome.state.step - 1, table);
    expect([controller.hint, controller.pointed]).toEqual([null, null]);
  });

  it('can be closed', async () => {
    const table = enter(tableOf('azul', 'a*'));
    await ask(table.welcome.state.step, table);
    controller.closeHint();
    expect([controller.hint, controller.pointed]).toEqual([null, null]);
  });
});

describe('people who share a device', () => {
  it('do not see each other’s cards', async () => {
    const table = enter(tableOf('schokoly', 'aa'));
    expect(controller.covered).toBe(true);
    controller.lift();
    expect(controller.covered).toBe(false);
    const at = table.states.findIndex(({ viewer }) => viewer !== table.welcome.state.viewer);
    for (const update of table.updates.slice(0, at + 1)) lastSocket().receives(update);
    await settle();
    expect(controller.covered).toBe(true);
  });
  it('need no cover in a game without hidden information', () => {
    enter(tableOf('azul', 'ab'));
    expect(controller.covered).toBe(false);
  });
});
