import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Link, told } from '../src/lib/link.svelte';
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
  says(words: unknown) {
    this.onmessage({ data: JSON.stringify(words) });
  }
  breaks(code = 1006) {
    this.readyState = 3;
    this.onclose({ code });
  }
}

const state = (seq: number): State => ({ seq, step: seq, status: 'playing' }) as State;
const welcome = (seq: number, history: Ply[] = []) => ({
  type: 'welcome',
  version: 1,
  heartbeat: 25,
  fresh: true,
  history,
  chatter: [],
  events: [],
  state: state(seq),
});
const last = () => Socket.all.at(-1)!;

let link: Link;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('location', { protocol: 'http:', host: 'here' });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  vi.stubGlobal('document', { addEventListener() {}, removeEventListener() {}, visibilityState: 'visible' });
  Socket.all = [];
  link = new Link('k7vq2m9xwp3d');
  last().opens();
  last().says(welcome(4, [[-1, '+RKWW']]));
});
afterEach(() => {
  link.end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a line to a table', () => {
  it('says hello, and is told how the table stands', () => {
    expect(last().url).toBe('ws://here/api/tables/k7vq2m9xwp3d/socket');
    expect(last().sent).toEqual([{ type: 'hello' }]);
    expect(link.line).toBe('open');
    expect(link.history).toEqual([[-1, '+RKWW']]);
  });

  it('comes back by itself, says what it knows, and sends again what had no answer', async () => {
    const answer = link.send('play', { move: '1R1' });
    const first = last().sent.at(-1)!;
    last().breaks();
    expect(link.line).toBe('lost');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(Socket.all).toHaveLength(2);
    last().opens();
    expect(last().sent).toEqual([{ type: 'hello', after: 4 }]);
    last().says({ ...welcome(5), fresh: false, events: [{ seq: 5, type: 'played', at: 0, seat: 0, move: '1R1' }] });
    expect(last().sent.at(-1)).toEqual(first);
    last().says({ type: 'answer', id: first.id, ok: true, seq: 5 });
    expect((await answer).ok).toBe(true);
    expect(link.history).toEqual([
      [-1, '+RKWW'],
      [0, '1R1'],
    ]);
  });

  it('sends a command again that was answered with "overloaded"', async () => {
    const answer = link.send('play', { move: '1R1' });
    const first = last().sent.at(-1)!;
    last().says({ type: 'answer', id: first.id, ok: false, error: { code: 'overloaded', text: '', retry_in: 0.5 } });
    await vi.advanceTimersByTimeAsync(600);
    expect(last().sent.filter((words) => words.id === first.id)).toHaveLength(2);
    last().says({ type: 'answer', id: first.id, ok: true, seq: 5 });
    expect((await answer).seq).toBe(5);
  });

  it('hears every event once', () => {
    const update = {
      type: 'update',
      events: [{ seq: 5, type: 'played', at: 0, seat: 0, move: '1R1' }],
      state: state(5),
    };
    last().says(update);
    last().says(update);
    expect(link.history).toHaveLength(2);
  });

  it('gives up a socket from which nothing comes', async () => {
    await vi.advanceTimersByTimeAsync(26_500);
    expect(last().sent.at(-1)).toEqual({ type: 'ping' });
    await vi.advanceTimersByTimeAsync(9_000);
    expect(link.line).toBe('lost');
  });

  it.each([
    [4404, 'none'],
    [4426, 'old'],
  ])('does not come back after %i', async (code, line) => {
    last().breaks(code);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(Socket.all).toHaveLength(1);
    expect(link.line).toBe(line);
  });

  it('waits as long as a server that stops has asked for', async () => {
    last().says({ type: 'closing', back_in: 8 });
    last().breaks(1012);
    await vi.advanceTimersByTimeAsync(5_500);
    expect(Socket.all).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(Socket.all).toHaveLength(2);
  });
});

it('a history goes on with moves and deals, and back with what is taken back', () => {
  const played = { seq: 1, at: 0, type: 'played', seat: 1, move: '2K2', deals: ['+BB'] };
  const plies = told([[-1, '+RK']], [played]);
  expect(plies).toEqual([
    [-1, '+RK'],
    [1, '2K2'],
    [-1, '+BB'],
  ]);
  expect(told(plies, [{ seq: 2, at: 0, type: 'taken-back', plies: 1 }])).toEqual([[-1, '+RK']]);
});
