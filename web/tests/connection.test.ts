import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TableConnection, applyEvents } from '../src/lib/connection.svelte';
import type { Move, Ply, State } from '../src/lib/types';
import { TABLES } from './fixtures';
import { Socket, lastSocket as last, stubBrowser } from './socket';

const ply = (actor: number, text: string): Ply => ({ actor, move: ['take', text, 0] as Move, effects: [] });
const state = (seq: number): State => ({ seq, step: seq, status: 'playing', clock: null }) as State;
const welcome = (seq: number, history: Ply[] = []) => ({
  type: 'welcome',
  version: 3,
  heartbeat: 25,
  fresh: true,
  history,
  chat_history: [],
  events: [],
  state: state(seq),
});
const DEAL = ply(-1, '+RKWW');
const MOVE = ply(0, '1R1');
const played = (seq: number) => ({ seq, type: 'played', at: 0, seat: 0, plies: [MOVE] });

let connection: TableConnection;
beforeEach(() => {
  vi.useFakeTimers();
  stubBrowser();
  connection = new TableConnection('k7vq2m9xwp3d');
  last().opens();
  last().receives(welcome(4, [DEAL]));
});
afterEach(() => {
  connection.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the connection to a table', () => {
  it('says hello and receives the state of the table', () => {
    expect(last().url).toBe('ws://here/api/tables/k7vq2m9xwp3d/socket');
    expect(last().sent).toEqual([{ type: 'hello', version: 3 }]);
    expect(connection.status).toBe('open');
    expect(connection.history).toEqual([DEAL]);
  });

  it('reconnects, names the last event it received, and repeats commands without a reply', async () => {
    const reply = connection.send('play', { move: '1R1' });
    const first = last().sent.at(-1)!;
    last().closes();
    expect(connection.status).toBe('lost');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(Socket.all).toHaveLength(2);
    last().opens();
    expect(last().sent).toEqual([{ type: 'hello', version: 3, after: 4 }]);
    last().receives({ ...welcome(5), fresh: false, events: [played(5)] });
    expect(last().sent.at(-1)).toEqual(first);
    last().receives({ type: 'reply', id: first.id, ok: true, seq: 5 });
    expect((await reply).ok).toBe(true);
    expect(connection.history).toEqual([DEAL, MOVE]);
  });

  it('sends a command again after the reply "busy"', async () => {
    const reply = connection.send('play', { move: '1R1' });
    const first = last().sent.at(-1)!;
    last().receives({
      type: 'reply',
      id: first.id,
      ok: false,
      error: { kind: 'busy', code: 'busy', text: '', retry_delay: 0.5 },
    });
    await vi.advanceTimersByTimeAsync(600);
    expect(last().sent.filter((message) => message.id === first.id)).toHaveLength(2);
    last().receives({ type: 'reply', id: first.id, ok: true, seq: 5 });
    expect((await reply).seq).toBe(5);
  });

  it('receives every event once', () => {
    const update = { type: 'update', after: 4, events: [played(5)], changes: { seq: 5, step: 5 } };
    last().receives(update);
    last().receives(update);
    expect(connection.history).toEqual([DEAL, MOVE]);
    expect(connection.state).toMatchObject({ seq: 5, step: 5, status: 'playing' });
  });

  it('asks for the whole state if changes are those of another one', () => {
    last().receives({ type: 'update', after: 7, events: [played(8)], changes: { seq: 8, step: 8 } });
    expect(Socket.all).toHaveLength(2);
    last().opens();
    expect(last().sent).toEqual([{ type: 'hello', version: 3 }]);
    expect(connection.state).toMatchObject({ seq: 4 });
  });

  it('learns of events that follow the state of a stale reply', async () => {
    const reply = connection.send('play', { move: '1R1' });
    const { id } = last().sent.at(-1)!;
    const error = { kind: 'stale', code: 'stale', text: '' };
    last().receives({ type: 'reply', id, ok: false, error, state: state(6) });
    expect((await reply).ok).toBe(false);
    expect(connection.state?.seq).toBe(6);
    last().receives({ type: 'update', after: 4, events: [played(5)], changes: { seq: 5, step: 5 } });
    last().receives({ type: 'update', after: 5, events: [played(6)], changes: { seq: 6, step: 6 } });
    expect(connection.state?.seq).toBe(6);
    expect(connection.history).toEqual([DEAL, MOVE, MOVE]);
    expect(Socket.all).toHaveLength(1);
  });

  it('keeps the time at which the clocks were told', () => {
    const clock = { base: 60, increment: 0, left: [60, 60] };
    last().receives({ type: 'update', after: 4, events: [], changes: { seq: 5, clock } });
    const { receivedAt } = connection;
    vi.advanceTimersByTime(3_000);
    last().receives({ type: 'update', after: 5, events: [], changes: { seq: 6, offer: null } });
    expect(connection.receivedAt).toBe(receivedAt);
    last().receives({ type: 'update', after: 6, events: [], changes: { seq: 7, clock } });
    expect(connection.receivedAt).toBeGreaterThan(receivedAt);
  });

  it.each(TABLES)('folds the changes of a game to the states of the server: $game $seats', (table) => {
    last().receives(table.welcome);
    for (const [at, update] of table.updates.entries()) {
      last().receives(update);
      const { moves = [], ...rest } = connection.state!;
      const { moves: legal = [], ...told } = table.states[at]!;
      expect(rest).toEqual(told);
      expect(moves).toEqual(legal);
    }
    expect(Socket.all).toHaveLength(1);
    const plies = [table.welcome, ...table.updates].flatMap(({ events }) => applyEvents([], events)).length;
    expect(connection.history).toHaveLength(table.welcome.history!.length + plies);
  });

  it('closes a silent socket', async () => {
    await vi.advanceTimersByTimeAsync(26_500);
    expect(last().sent.at(-1)).toEqual({ type: 'ping' });
    await vi.advanceTimersByTimeAsync(9_000);
    expect(connection.status).toBe('lost');
  });

  it.each([
    [4404, 'none'],
    [4426, 'old'],
    [4500, 'damaged'],
  ])('does not reconnect after the close code %i', async (code, status) => {
    last().closes(code);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(Socket.all).toHaveLength(1);
    expect(connection.status).toBe(status);
  });

  it('connects at once to the process that owns the table, without being shown as lost', () => {
    connection.close();
    connection = new TableConnection('k7vq2m9xwp3d');
    last().opens();
    last().closes(4307, 'p_1');
    expect(Socket.all).toHaveLength(3);
    expect(last().url).toBe('ws://here/api/tables/k7vq2m9xwp3d/socket?process=p_1');
    expect(connection.status).toBe('connecting');
    last().opens();
    expect(last().sent).toEqual([{ type: 'hello', version: 3 }]);
    last().receives(welcome(5, [DEAL, MOVE]));
    expect(connection.status).toBe('open');
    expect(connection.history).toEqual([DEAL, MOVE]);
  });

  it.each([4307, 1006])('asks the proxy again if the named process closes the connection (%i)', async (code) => {
    last().closes(4307, 'p1');
    last().closes(code, 'p2');
    expect(Socket.all).toHaveLength(2);
    expect(connection.status).toBe('lost');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(Socket.all).toHaveLength(3);
    expect(last().url).toBe('ws://here/api/tables/k7vq2m9xwp3d/socket');
  });

  it('waits as long as a stopping server asks for', async () => {
    last().receives({ type: 'closing', reconnect_delay: 8 });
    last().closes(1012);
    await vi.advanceTimersByTimeAsync(5_500);
    expect(Socket.all).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(Socket.all).toHaveLength(2);
  });
});

it('a history grows with moves and deals, and shrinks when a move is taken back', () => {
  const move = { seq: 1, at: 0, type: 'played' as const, seat: 1, plies: [ply(1, '2K2'), ply(-1, '+BB')] };
  const plies = applyEvents([DEAL], [move]);
  expect(plies).toEqual([DEAL, ...move.plies]);
  expect(applyEvents(plies, [{ seq: 2, at: 0, type: 'taken-back', plies: 1 }])).toEqual([DEAL]);
});
