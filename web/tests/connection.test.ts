import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TableConnection, applyEvents } from '../src/lib/connection.svelte';
import type { Ply, State } from '../src/lib/types';

class Socket {
  static OPEN = 1;
  static all: Socket[] = [];
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onopen = () => {};
  onmessage: (message: { data: string }) => void = () => {};
  onclose: (event: { code: number }) => void = () => {};
  constructor(readonly url: string) {
    Socket.all.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
  opens() {
    this.readyState = 1;
    this.onopen();
  }
  receives(message: unknown) {
    this.onmessage({ data: JSON.stringify(message) });
  }
  closes(code = 1006) {
    this.readyState = 3;
    this.onclose({ code });
  }
}

const state = (seq: number): State => ({ seq, step: seq, status: 'playing' }) as State;
const welcome = (seq: number, history: Ply[] = []) => ({
  type: 'welcome',
  version: 2,
  heartbeat: 25,
  fresh: true,
  history,
  chat_history: [],
  events: [],
  state: state(seq),
});
const last = () => Socket.all.at(-1)!;

let connection: TableConnection;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('location', { protocol: 'http:', host: 'here' });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  vi.stubGlobal('document', { addEventListener() {}, removeEventListener() {}, visibilityState: 'visible' });
  Socket.all = [];
  connection = new TableConnection('k7vq2m9xwp3d');
  last().opens();
  last().receives(welcome(4, [[-1, '+RKWW']]));
});
afterEach(() => {
  connection.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the connection to a table', () => {
  it('says hello and receives the state of the table', () => {
    expect(last().url).toBe('ws://here/api/tables/k7vq2m9xwp3d/socket');
    expect(last().sent).toEqual([{ type: 'hello', version: 2 }]);
    expect(connection.status).toBe('open');
    expect(connection.history).toEqual([[-1, '+RKWW']]);
  });

  it('reconnects, names the last event it received, and repeats commands without a reply', async () => {
    const reply = connection.send('play', { move: '1R1' });
    const first = last().sent.at(-1)!;
    last().closes();
    expect(connection.status).toBe('lost');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(Socket.all).toHaveLength(2);
    last().opens();
    expect(last().sent).toEqual([{ type: 'hello', version: 2, after: 4 }]);
    last().receives({ ...welcome(5), fresh: false, events: [{ seq: 5, type: 'played', at: 0, seat: 0, move: '1R1' }] });
    expect(last().sent.at(-1)).toEqual(first);
    last().receives({ type: 'reply', id: first.id, ok: true, seq: 5 });
    expect((await reply).ok).toBe(true);
    expect(connection.history).toEqual([
      [-1, '+RKWW'],
      [0, '1R1'],
    ]);
  });

  it('sends a command again after the reply "busy"', async () => {
    const reply = connection.send('play', { move: '1R1' });
    const first = last().sent.at(-1)!;
    last().receives({ type: 'reply', id: first.id, ok: false, error: { code: 'busy', text: '', retry_delay: 0.5 } });
    await vi.advanceTimersByTimeAsync(600);
    expect(last().sent.filter((message) => message.id === first.id)).toHaveLength(2);
    last().receives({ type: 'reply', id: first.id, ok: true, seq: 5 });
    expect((await reply).seq).toBe(5);
  });

  it('receives every event once', () => {
    const update = {
      type: 'update',
      events: [{ seq: 5, type: 'played', at: 0, seat: 0, move: '1R1' }],
      state: state(5),
    };
    last().receives(update);
    last().receives(update);
    expect(connection.history).toHaveLength(2);
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
  ])('does not reconnect after the close code %i', async (code, status) => {
    last().closes(code);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(Socket.all).toHaveLength(1);
    expect(connection.status).toBe(status);
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
  const played = { seq: 1, at: 0, type: 'played', seat: 1, move: '2K2', deals: ['+BB'] };
  const plies = applyEvents([[-1, '+RK']], [played]);
  expect(plies).toEqual([
    [-1, '+RK'],
    [1, '2K2'],
    [-1, '+BB'],
  ]);
  expect(applyEvents(plies, [{ seq: 2, at: 0, type: 'taken-back', plies: 1 }])).toEqual([[-1, '+RK']]);
});
