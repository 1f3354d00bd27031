// Effects of moves: requested shortly after the user points at a move, and once for each position.
import type { Preview, Previews } from '../lib/types';

const DWELL = 80; // milliseconds that the user has to point at the same thing
const MAX_PREVIEWS = 400; // in the cache

export class PreviewStore {
  move = $state<string | null>(null); // the move pointed at
  #cached = $state.raw<ReadonlyMap<string, Preview>>(new Map());
  #step = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #requested = new Set<string>();
  #abort = new AbortController();

  // `isUseful` returns whether a request still makes sense: only the seat to move gets previews.
  constructor(
    readonly request: (moves: string[], signal: AbortSignal) => Promise<Previews>,
    readonly isUseful: () => boolean = () => true,
  ) {}

  look(move: string | null): void {
    this.move = move;
    clearTimeout(this.#timer);
    if (move !== null && !this.#cached.has(move)) this.#timer = setTimeout(() => void this.fetch(move), DWELL);
  }

  // Abort pending requests, because the move was made.
  stop(): void {
    this.look(null);
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  // Start with an empty cache if the position has changed.
  begin(step: number): void {
    if (step === this.#step) return;
    this.#step = step;
    this.#cached = new Map();
    this.#requested.clear();
    clearTimeout(this.#timer);
    this.move = null;
  }

  of(move: string | null): Preview | null {
    return move === null ? null : (this.#cached.get(move) ?? null);
  }

  async fetch(move: string): Promise<void> {
    if (this.#cached.has(move) || this.#requested.has(move) || !this.isUseful()) return;
    const step = this.#step;
    this.#requested.add(move);
    try {
      const response = await this.request([move], this.#abort.signal);
      if (step !== this.#step || response.step !== step || this.#cached.size >= MAX_PREVIEWS) return;
      this.#cached = new Map([...this.#cached, ...response.previews.map((one): [string, Preview] => [one.typed, one])]);
    } catch {
      if (step === this.#step) this.#requested.delete(move); // it may be requested again
    }
  }
}
