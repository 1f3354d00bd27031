// One step of a tour as it is played: the position, the moves that are tried, and what is said about them.
import { study } from '../lib/api';
import { pace } from '../lib/settings.svelte';
import type { AzulView, Effects, Fact, GameName, Preview, Study, View } from '../lib/types';
import { azulFrames } from '../boards/azul/words';
import { explain } from '../boards/words';
import { isWanted, type Step } from './tours';

export type Verdict = '' | 'right' | 'other';
const TAKEN_BACK = 2600; // milliseconds that another legal move stays
const DWELL = 250; // that one has to point at something

// Positions are asked for once, and the next one before it is needed.
const known = new Map<string, Promise<Study>>();
export function studied(position: string, moves: string[] = [], preview: string[] = []): Promise<Study> {
  const key = [position, moves.join(' '), preview.join(' ')].join('|');
  const found = known.get(key) ?? study(position, moves, preview);
  known.set(key, found);
  found.catch(() => known.delete(key));
  return found;
}

export class Stage {
  now = $state.raw<Study | null>(null);
  view = $state.raw<View | null>(null); // what is drawn: while something is told, a picture on the way to `now`
  seat = $state(0); // with whose eyes
  chosen = $state<string | null>(null);
  last = $state.raw<{ seat: number; move: string } | null>(null);
  made = $state.raw<string[]>([]);
  verdict = $state<Verdict>('');
  facts = $state.raw<Fact[]>([]); // what the last move did, or would have done
  looked = $state.raw<{ told: Preview; facts: Fact[] } | null>(null); // what is pointed at
  at = $state.raw<string[] | null>(null); // what a telling points at
  telling = $state(false);
  failed = $state(false);
  #ended = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pointing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly game: GameName,
    readonly step: Step,
    readonly onright: () => void,
  ) {
    void this.open();
  }

  readonly complete = $derived.by(() => this.made.length >= (this.step.do?.length ?? 0));
  readonly moves = $derived.by(() => (this.complete || this.telling ? [] : (this.now?.moves ?? [])));

  async open(): Promise<void> {
    clearTimeout(this.#timer);
    this.failed = false;
    try {
      const now = await studied(this.step.position);
      if (this.#ended) return;
      this.chosen = this.last = this.looked = this.at = null;
      this.made = [];
      this.facts = [];
      this.verdict = '';
      this.telling = false;
      this.now = now;
      this.view = now.view;
      this.seat = now.view.seat ?? 0;
    } catch {
      this.failed = !this.#ended;
    }
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#pointing);
  }

  choose = (move: string | null): void => {
    if (this.complete || this.telling) return;
    clearTimeout(this.#timer);
    clearTimeout(this.#pointing);
    this.chosen = move;
    if (!move) return;
    this.looked = null;
    if (isWanted(this.step.do?.[this.made.length] ?? [], move)) void this.#make(move);
    else void this.#takeBack(move);
  };

  // Shown after a moment: on a phone the words grow over the board, and must not do so under a finger that taps.
  look = (move: string | null): void => {
    clearTimeout(this.#pointing);
    if (!move || this.complete || this.telling || this.chosen) this.looked = null;
    else this.#pointing = setTimeout(() => void this.#point(move), DWELL);
  };

  async #point(move: string): Promise<void> {
    const told = await this.#preview(move);
    if (told && !this.complete && !this.telling && !this.chosen) this.looked = { told, facts: this.#explain(told) };
  }

  async #preview(move: string): Promise<Preview | null> {
    try {
      return (await studied(this.step.position, this.made, [move])).previews[0] ?? null;
    } catch {
      return null;
    }
  }

  #explain(told: Preview): Fact[] {
    return this.now ? explain(this.game, told, this.now.view) : [];
  }

  async #takeBack(move: string): Promise<void> {
    const told = await this.#preview(move);
    if (this.#ended || this.chosen !== move) return;
    this.verdict = 'other';
    this.facts = told ? this.#explain(told) : [];
    this.#timer = setTimeout(() => (this.chosen = null), TAKEN_BACK);
  }

  async #make(move: string): Promise<void> {
    const before = this.now;
    if (!before) return;
    this.telling = true;
    try {
      const after = await studied(this.step.position, [...this.made, move]);
      if (this.#ended) return;
      const effects = after.effects ?? {};
      this.facts = this.#explain({ move, legal: true, effects });
      this.made = [...this.made, move];
      this.verdict = 'right';
      this.last = { seat: before.view.seat ?? 0, move };
      this.now = after;
      this.chosen = null;
      await this.#tell(before, move, effects, after);
      if (this.#ended) return;
      this.view = after.view;
      this.at = null;
      this.telling = false;
      if (this.complete) this.onright();
    } catch {
      this.telling = false;
      this.failed = !this.#ended;
    }
  }

  // The tiling, picture by picture; what it did for the learner stays to be read.
  async #tell(before: Study, move: string, effects: Effects, after: Study): Promise<void> {
    if (this.game === 'schokoly' || !effects.tiling) return;
    const from = before.view as AzulView;
    const frames = azulFrames(from, move, from.seat ?? 0, effects, after.view as AzulView, this.game);
    this.facts = frames
      .filter((frame) => frame.text && frame.seat === this.seat)
      .map(({ text, points }) => ({ tone: !points ? 'plain' : points > 0 ? 'good' : 'bad', text }));
    for (const frame of pace() ? frames : []) {
      this.view = frame.view;
      this.at = frame.at;
      await new Promise((done) => setTimeout(done, pace() * 2));
      if (this.#ended) return;
    }
  }
}
