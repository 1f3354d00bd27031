// The playback of moves, and of the end of a round step by step.
import type { Effect, Move, State } from '../lib/types';
import type { Frame } from '../boards/types';

// One step of what the board shows. Each move is shown long enough to be seen, but never far behind the game.

export interface Scene {
  state: State;
  last: { seat: number; move: Move } | null; // the newest move up to here, which stays marked
  moved: boolean; // whether it was this move that led here
  effects: readonly Effect[]; // what it did, and chance after it
  mine: boolean; // the viewer made the move, and has already seen it on the board
  frames: Frame[]; // the end of a round, step by step
}

const OTHERS_MOVE = 1.7; // how long a move of another player is shown, in multiples of the pace
const OWN_MOVE = 0.6;
const FRAME = 1.7; // the same for one frame
const MAX_DURATION = 9_000; // milliseconds for all frames
const MAX_DELAY = 3_000; // milliseconds: if the waiting scenes take longer, the oldest ones are skipped

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
      await this.#playFrames(scene, run);
      if (run !== this.#run) return;
      // a scene that was skipped meanwhile is not shown; one that was renewed is shown in its new state
      if (this.#queue[0]?.state.plies === scene.state.plies) this.#show(this.#queue.shift()!);
      this.waiting = this.#queue.length;
      await pause(sceneLength(scene, this.pace()));
      if (run !== this.#run) return;
    }
    this.#busy = false;
  }

  async #playFrames(scene: Scene, run: number): Promise<void> {
    for (const frame of scene.frames) {
      this.frame = frame;
      this.onshow(scene, frame);
      await pause(frameLength(scene.frames.length, this.pace(), this.hurried() || this.#queue.length > 1));
      if (run !== this.#run) return;
    }
  }
}
