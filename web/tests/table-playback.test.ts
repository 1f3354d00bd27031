import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Frame, State } from '../src/lib/types';
import { caughtUp, held, Playback, stepLength, type Scene } from '../src/table/playback.svelte';

const scene = (ply: number, story: Promise<Frame[]> | null = null): Scene => ({
  state: { plies: ply } as State,
  last: null,
  move: { seat: 0, move: `m${ply}`, ply },
  mine: false,
  story,
});
const frame = (text: string): Frame => ({ view: {} as Frame['view'], text, seat: 0, points: 1, at: [] });
const PACE = 400;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('scenes', () => {
  const shown: number[] = [];
  const player = (pace = PACE, idle = false) => {
    shown.length = 0;
    return new Playback(
      () => pace,
      () => idle,
      (one, step) => !step && shown.push(one.state.plies),
    );
  };

  it('are shown one after another, each for a while', async () => {
    const playback = player();
    playback.jump(scene(0));
    playback.push(scene(1));
    playback.push(scene(2));
    await vi.advanceTimersByTimeAsync(1);
    expect(playback.shown?.state.plies).toBe(1);
    expect(playback.current).toBe(false);
    await vi.advanceTimersByTimeAsync(held(scene(1), PACE));
    expect(playback.shown?.state.plies).toBe(2);
    expect(playback.current).toBe(true);
  });

  it('can be answered as soon as the newest one is shown', async () => {
    const playback = player();
    playback.jump(scene(0));
    playback.push(scene(1));
    await vi.advanceTimersByTimeAsync(1);
    expect(playback.current).toBe(true);
  });

  it('are shown at once where nothing moves, or nobody looks', () => {
    for (const playback of [player(0), player(PACE, true)]) {
      playback.jump(scene(0));
      playback.push(scene(1));
      playback.push(scene(2));
      expect(playback.shown?.state.plies).toBe(2);
      expect(playback.current).toBe(true);
    }
  });

  it('are passed over when too many wait, but never the newest', async () => {
    const many = Array.from({ length: 20 }, (_, at) => scene(at));
    const left = caughtUp(many, PACE);
    expect(left.length).toBeLessThan(6);
    expect(left.at(-1)).toBe(many.at(-1));
    expect(caughtUp([scene(7)], 100_000)).toHaveLength(1);

    const playback = player();
    playback.jump(scene(0));
    for (const one of many) playback.push(one);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(playback.shown?.state.plies).toBe(19);
    expect(shown).toEqual([...shown].sort((a, b) => a - b));
  });

  it('are given up by a jump', async () => {
    const playback = player();
    playback.jump(scene(0));
    playback.push(scene(1));
    playback.push(scene(2));
    playback.jump(scene(9));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(playback.shown?.state.plies).toBe(9);
    playback.push(scene(10));
    await vi.advanceTimersByTimeAsync(1);
    expect(playback.shown?.state.plies).toBe(10);
  });

  it('take up what changes meanwhile', async () => {
    const playback = player();
    playback.jump(scene(0));
    playback.push(scene(1));
    playback.push(scene(2));
    playback.renew({ plies: 2, status: 'over' } as State);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(playback.shown?.state.status).toBe('over');
  });
});

describe('a story', () => {
  it('is told step by step before its scene is shown', async () => {
    const playback = new Playback(() => PACE);
    playback.jump(scene(0));
    playback.push(scene(1, Promise.resolve([frame('one'), frame('two')])));
    await vi.advanceTimersByTimeAsync(1);
    expect(playback.frame?.text).toBe('one');
    expect(playback.current).toBe(false);
    await vi.advanceTimersByTimeAsync(stepLength(2, PACE, false));
    expect(playback.frame?.text).toBe('two');
    expect(playback.shown?.state.plies).toBe(0);
    await vi.advanceTimersByTimeAsync(stepLength(2, PACE, false));
    expect(playback.frame).toBeNull();
    expect(playback.shown?.state.plies).toBe(1);
  });

  it('can be skipped, with all that waits', async () => {
    const playback = new Playback(() => PACE);
    playback.jump(scene(0));
    playback.push(scene(1, Promise.resolve([frame('one'), frame('two')])));
    playback.push(scene(2));
    await vi.advanceTimersByTimeAsync(1);
    playback.skip();
    expect(playback.frame).toBeNull();
    expect(playback.shown?.state.plies).toBe(2);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(playback.shown?.state.plies).toBe(2);
  });

  it('that does not come is not waited for', async () => {
    const playback = new Playback(() => PACE);
    playback.jump(scene(0));
    playback.push(scene(1, new Promise(() => {})));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(playback.shown?.state.plies).toBe(1);

    playback.push(scene(2, Promise.reject(new Error('no line'))));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(playback.shown?.state.plies).toBe(2);
  });

  it('is never long, and short where somebody waits', () => {
    expect(stepLength(4, PACE, false)).toBe(PACE * 1.7);
    expect(stepLength(100, PACE, false) * 100).toBeLessThanOrEqual(9_000);
    expect(stepLength(100, PACE, true) * 100).toBeLessThanOrEqual(3_000);
  });
});
