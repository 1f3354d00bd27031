import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { State } from '../src/lib/types';
import type { Frame } from '../src/boards/types';
import { dropOldest, sceneLength, Playback, frameLength, type Scene } from '../src/table/playback.svelte';

const scene = (ply: number, frames: Frame[] = []): Scene => ({
  state: { plies: ply } as State,
  last: null,
  moved: true,
  effects: [],
  mine: false,
  frames,
});
const frame = (text: string): Frame => ({ view: {} as Frame['view'], text, seat: 0, points: 1, at: [], effects: [] });
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
    await vi.advanceTimersByTimeAsync(sceneLength(scene(1), PACE));
    expect(playback.shown?.state.plies).toBe(2);
    expect(playback.current).toBe(true);
  });

  it('allow a move as soon as the newest one is shown', async () => {
    const playback = player();
    playback.jump(scene(0));
    playback.push(scene(1));
    await vi.advanceTimersByTimeAsync(1);
    expect(playback.current).toBe(true);
  });

  it('are shown at once if animations are off or nobody is looking', () => {
    for (const playback of [player(0), player(PACE, true)]) {
      playback.jump(scene(0));
      playback.push(scene(1));
      playback.push(scene(2));
      expect(playback.shown?.state.plies).toBe(2);
      expect(playback.current).toBe(true);
    }
  });

  it('are skipped if too many are waiting, but never the newest', async () => {
    const many = Array.from({ length: 20 }, (_, at) => scene(at));
    const left = dropOldest(many, PACE);
    expect(left.length).toBeLessThan(6);
    expect(left.at(-1)).toBe(many.at(-1));
    expect(dropOldest([scene(7)], 100_000)).toHaveLength(1);

    const playback = player();
    playback.jump(scene(0));
    for (const one of many) playback.push(one);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(playback.shown?.state.plies).toBe(19);
    expect(shown).toEqual([...shown].sort((a, b) => a - b));
  });

  it('are discarded by a jump', async () => {
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

  it('include changes made in the meantime', async () => {
    const playback = player();
    playback.jump(scene(0));
    playback.push(scene(1));
    playback.push(scene(2));
    playback.renew({ plies: 2, status: 'over' } as State);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(playback.shown?.state.status).toBe('over');
  });
});

describe('a sequence of frames', () => {
  it('is played step by step before its scene is shown', async () => {
    const playback = new Playback(() => PACE);
    playback.jump(scene(0));
    playback.push(scene(1, [frame('one'), frame('two')]));
    await vi.advanceTimersByTimeAsync(1);
    expect(playback.frame?.text).toBe('one');
    expect(playback.current).toBe(false);
    await vi.advanceTimersByTimeAsync(frameLength(2, PACE, false));
    expect(playback.frame?.text).toBe('two');
    expect(playback.shown?.state.plies).toBe(0);
    await vi.advanceTimersByTimeAsync(frameLength(2, PACE, false));
    expect(playback.frame).toBeNull();
    expect(playback.shown?.state.plies).toBe(1);
  });

  it('can be skipped, with all waiting scenes', async () => {
    const playback = new Playback(() => PACE);
    playback.jump(scene(0));
    playback.push(scene(1, [frame('one'), frame('two')]));
    playback.push(scene(2));
    await vi.advanceTimersByTimeAsync(1);
    playback.skip();
    expect(playback.frame).toBeNull();
    expect(playback.shown?.state.plies).toBe(2);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(playback.shown?.state.plies).toBe(2);
  });

  it('is never long, and short if somebody is waiting', () => {
    expect(frameLength(4, PACE, false)).toBe(PACE * 1.7);
    expect(frameLength(100, PACE, false) * 100).toBeLessThanOrEqual(9_000);
    expect(frameLength(100, PACE, true) * 100).toBeLessThanOrEqual(3_000);
  });
});
