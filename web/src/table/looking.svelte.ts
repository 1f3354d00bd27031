// What moves would do: asked for when somebody points at one, a moment later, and once for each position.
import type { Preview } from '../lib/types';

const PATIENCE = 80; // milliseconds that one has to point at the same thing
const MOST = 400; // previews that are kept

export class Looking {
  move = $state<string | null>(null); // what is pointed at
  #known = $state.raw<ReadonlyMap<string, Preview>>(new Map());
  #step = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = new Set<string>();
  #asking = new AbortController();

  // `may` says whether it still makes sense to ask: only who is to move is told.
  constructor(
    readonly ask: (moves: string[], signal: AbortSignal) => Promise<{ step: number; previews: Preview[] }>,
    readonly may: () => boolean = () => true,
  ) {}

  look(move: string | null): void {
    this.move = move;
    clearTimeout(this.#timer);
    if (move !== null && !this.#known.has(move)) this.#timer = setTimeout(() => void this.fetch(move), PATIENCE);
  }

  // The move is made: what is still asked for would come too late.
  stop(): void {
    this.look(null);
    this.#asking.abort();
    this.#asking = new AbortController();
  }

  // Another position: nothing is known of it yet.
  begin(step: number): void {
    if (step === this.#step) return;
    this.#step = step;
    this.#known = new Map();
    this.#asked.clear();
    clearTimeout(this.#timer);
    this.move = null;
  }

  of(move: string | null): Preview | null {
    return move === null ? null : (this.#known.get(move) ?? null);
  }

  async fetch(move: string): Promise<void> {
    if (this.#known.has(move) || this.#asked.has(move) || !this.may()) return;
    const step = this.#step;
    this.#asked.add(move);
    try {
      const answer = await this.ask([move], this.#asking.signal);
      if (step !== this.#step || answer.step !== step || this.#known.size >= MOST) return;
      this.#known = new Map([...this.#known, ...answer.previews.map((one): [string, Preview] => [one.move, one])]);
    } catch {
      if (step === this.#step) this.#asked.delete(move); // it may be asked for again
    }
  }
}
