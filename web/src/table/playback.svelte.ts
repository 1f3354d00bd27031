// What the board shows of what has happened: move after move, each long enough to be seen, and never far behind.
import type { Frame, State } from '../lib/types';

export interface Scene {
  state: State;
  last: { seat: number; move: string } | null; // the newest move up to here: it stays marked
  move: { seat: number; move: string; ply: number } | null; // what led here from the scene before, if it was one move
  mine: boolean; // who sees it has made it, and has seen it drawn already
  story: Promise<Frame[]> | null; // how a round ended, step by step
}

const HELD = 1.7; // so many times the pace is a move of somebody else shown before the next one
const HELD_MINE = 0.6;
const STEP = 1.7; // the same for one step of a story
const LONGEST_STORY = 9_000; // milliseconds for all of it
const MOST_BEHIND = 3_000; // more than this waits: the oldest moves are passed over
const PATIENCE = 2_500; // so long a story may take to come

export function held(scene: Scene, pace: number): number {
  return pace * (scene.mine ? HELD_MINE : HELD);
}

// How long one step of a story is shown. Somebody who waits to move, or moves that wait to be shown, make it shorter.
export function stepLength(steps: number, pace: number, hurried: boolean): number {
  const longest = hurried ? LONGEST_STORY / 3 : LONGEST_STORY;
  return Math.min(pace * STEP, longest / Math.max(1, steps));
}

// What is left of the scenes that wait when the oldest ones are passed over. The newest always stays.
export function caughtUp(waiting: Scene[], pace: number): Scene[] {
  let from = 0;
  let length = waiting.reduce((sum, scene) => sum + held(scene, pace), 0);
  while (from < waiting.length - 1 && length > MOST_BEHIND) {
    length -= held(waiting[from]!, pace);
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
  frame = $state.raw<Frame | null>(null); // the step of a story that is told
  waiting = $state(0); // scenes that are still to be shown

  #queue: Scene[] = [];
  #run = 0; // grows when everything that is on its way is given up
  #busy = false;

  // `pace` as in the settings; `idle` is true where nobody looks; `shows` hears of every scene, and of every step.
  constructor(
    readonly pace: () => number,
    readonly idle: () => boolean = () => false,
    readonly shows: (scene: Scene, frame: Frame | null) => void = () => {},
    readonly hurried: () => boolean = () => false,
  ) {}

  // Whether the board shows how things are now: then whoever is to move may do so.
  get current(): boolean {
    return this.waiting === 0 && this.frame === null;
  }

  get newest(): Scene | null {
    return this.#queue.at(-1) ?? this.shown;
  }

  // Show this at once, whatever was on its way.
  jump(scene: Scene): void {
    this.#run += 1;
    this.#busy = false;
    this.#queue = [];
    this.#show(scene);
  }

  // The newest scene, with something changed that is not the position.
  renew(state: State): void {
    const newest = this.newest;
    if (!newest) return;
    const scene = { ...newest, state };
    if (this.#queue.length) this.#queue[this.#queue.length - 1] = scene;
    else this.shown = scene;
  }

  push(scene: Scene): void {
    const pace = this.pace();
    scene.story?.catch(() => undefined); // one that is never told may fail all the same
    if (!this.shown || !pace || this.idle()) {
      this.jump(scene);
      return;
    }
    this.#queue = caughtUp([...this.#queue, scene], pace);
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
    this.shows(scene, null);
  }

  async #play(): Promise<void> {
    const run = this.#run;
    this.#busy = true;
    while (this.#queue.length) {
      const scene = this.#queue[0]!;
      if (scene.story) {
        const frames = await within(scene.story, PATIENCE, []);
        if (run !== this.#run) return;
        await this.#tell(scene, frames, run);
        if (run !== this.#run) return;
      }
      // a scene that was passed over meanwhile is not shown, one that was renewed is shown as it is now
      if (this.#queue[0]?.move?.ply === scene.move?.ply) this.#show(this.#queue.shift()!);
      this.waiting = this.#queue.length;
      await pause(held(scene, this.pace()));
      if (run !== this.#run) return;
    }
    this.#busy = false;
  }

  async #tell(scene: Scene, frames: Frame[], run: number): Promise<void> {
    for (const frame of frames) {
      this.frame = frame;
      this.shows(scene, frame);
      await pause(stepLength(frames.length, this.pace(), this.hurried() || this.#queue.length > 1));
      if (run !== this.#run) return;
    }
  }
}
