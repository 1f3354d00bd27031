// The playback of moves, and of the end of a round step by step.
import * as api from '../lib/api';
import { playOf } from '../boards/play';
import type { State } from '../lib/types';
import type { Frame } from '../boards/types';

// The frames of the end of a round, from the effects of the move that ended it; null if the round goes on.
export function roundEndFrames(
  table: string,
  before: State,
  after: State,
  made: { seat: number; move: string; ply: number },
): Promise<Frame[]> | null {
  const play = playOf(after.game);
  const [then, now] = [before.position, after.position];
  if (!then || !now || !play.endsRound(then, now)) return null;
  return api.effects(table, made.ply).then(({ effects }) => play.frames(then, effects, now));
}

// One step of what the board shows. Each move is shown long enough to be seen, but never far behind the game.

export interface Scene {
  state: State;
  last: { seat: number; move: string } | null; // the newest move up to here, which stays marked
  move: { seat: number; move: string; ply: number } | null; // the move that led here, if it was a single one
  mine: boolean; // the viewer made the move, and has already seen it on the board
  frames: Promise<Frame[]> | null; // the end of a round, step by step
}

const OTHERS_MOVE = 1.7; // how long a move of another player is shown, in multiples of the pace
const OWN_MOVE = 0.6;
const FRAME = 1.7; // the same for one frame
const MAX_DURATION = 9_000; // milliseconds for all frames
const MAX_DELAY = 3_000; // milliseconds: if the waiting scenes take longer, the oldest ones are skipped
const FRAMES_TIMEOUT = 2_500; // milliseconds to wait for the frames

export function sceneLength(scene: Scene, pace: number): number {
  return pace * (scene.mine ? OWN_MOVE : OTHERS_MOVE);
}

// How long one frame is shown; less if somebody is waiting to move, or moves are waiting to be shown.
export function frameLength(steps: number, pace: number, hurried: boolean): number {
  const longest = hurried ? MAX_DURATION / 3 : MAX_DURATION;
  return Math.min(pace * FRAME, longest / Math.max(1, steps));
}

// The waiting scenes without the oldest ones that are skipped. The newest always stays.
export function dropOldest(waiting: Scene[], pace: number): Scene[] {
  let from = 0;
  let length = waiting.reduce((sum, scene) => sum + sceneLength(scene, pace), 0);
  while (from < waiting.length - 1 && length > MAX_DELAY) {
    length -= sceneLength(waiting[from]!, pace);
    from += 1;
  }
  return waiting.slice(from);
}

const pause = (length: number) => new Promise<void>((done) => setTimeout(done, length));

function within<T>(promise: Promise<T>, length: number, fallback: T): Promise<T> {
  return Promise.race([promise.catch(() => fallback), pause(length).then(() => fallback)]);
}

export class Playback {
  shown = $state.raw<Scene | null>(null);
  frame = $state.raw<Frame | null>(null); // the frame being shown
  waiting = $state(0); // scenes still to be shown

  #queue: Scene[] = [];
  #run = 0; // incremented when everything that is waiting is discarded
  #busy = false;

  // `pace` is that of the settings, `idle` whether nobody is looking, `hurried` whether somebody is waiting to move;
  // `onshow` is called for every scene and every frame.
  constructor(
    readonly pace: () => number,
    readonly idle: () => boolean = () => false,
    readonly onshow: (scene: Scene, frame: Frame | null) => void = () => {},
    readonly hurried: () => boolean = () => false,
  ) {}

  // Whether the board shows the current position, so that a move can be made.
  get current(): boolean {
    return this.waiting === 0 && this.frame === null;
  }

  get newest(): Scene | null {
    return this.#queue.at(-1) ?? this.shown;
  }

  // Show this scene at once and discard what was waiting.
  jump(scene: Scene): void {
    this.#run += 1;
    this.#busy = false;
    this.#queue = [];
    this.#show(scene);
  }

  // Update the newest scene with a change that does not affect the position.
  renew(state: State): void {
    const newest = this.newest;
    if (!newest) return;
    const scene = { ...newest, state };
    if (this.#queue.length) this.#queue[this.#queue.length - 1] = scene;
    else this.shown = scene;
  }

  push(scene: Scene): void {
    const pace = this.pace();
    scene.frames?.catch(() => undefined); // frames that are never shown may fail
    if (!this.shown || !pace || this.idle()) {
      this.jump(scene);
      return;
    }
    this.#queue = dropOldest([...this.#queue, scene], pace);
    this.waiting = this.#queue.length;
    if (!this.#busy) void this.#play();
  }

  skip(): void {
    if (this.newest) this.jump(this.newest);
  }

  #show(scene: Scene): void {
    this.frame = null;
    this.shown = scene;
    this.waiting = this.#queue.length;
    this.onshow(scene, null);
  }

  async #play(): Promise<void> {
    const run = this.#run;
    this.#busy = true;
    while (this.#queue.length) {
      const scene = this.#queue[0]!;
      if (scene.frames) {
        const frames = await within(scene.frames, FRAMES_TIMEOUT, []);
        if (run !== this.#run) return;
        await this.#playFrames(scene, frames, run);
        if (run !== this.#run) return;
      }
      // a scene that was skipped meanwhile is not shown; one that was renewed is shown in its new state
      if (this.#queue[0]?.move?.ply === scene.move?.ply) this.#show(this.#queue.shift()!);
      this.waiting = this.#queue.length;
      await pause(sceneLength(scene, this.pace()));
      if (run !== this.#run) return;
    }
    this.#busy = false;
  }

  async #playFrames(scene: Scene, frames: Frame[], run: number): Promise<void> {
    for (const frame of frames) {
      this.frame = frame;
      this.onshow(scene, frame);
      await pause(frameLength(frames.length, this.pace(), this.hurried() || this.#queue.length > 1));
      if (run !== this.#run) return;
    }
  }
}
