// The state of one step of a tour: the position, the moves that are tried, and the feedback.
import { study } from '../lib/api';
import { viewsOf } from '../lib/changes';
import { findMove } from '../lib/moves';
import { pace } from '../lib/settings.svelte';
import type { Effect, GameName, Move, Preview, Study, View } from '../lib/types';
import type { Fact, Frame } from '../boards/types';
import { explain } from '../boards/describe';
import { playOf } from '../boards/play';
import { isWanted, type TourStep } from './tours';

export type Verdict = '' | 'right' | 'other';
const TAKE_BACK_AFTER = 2600; // milliseconds after which a legal move that was not wanted is taken back
const DWELL = 250; // milliseconds that the user has to point at something

// Positions are requested once, and the next one in advance.
const cache = new Map<string, Promise<Study>>();
export function cachedStudy(position: string, moves: string[] = [], preview: string[] = []): Promise<Study> {
  const key = [position, moves.join(' '), preview.join(' ')].join('|');
  const result = cache.get(key) ?? study({ position, moves, preview });
  cache.set(key, result);
  result.catch(() => cache.delete(key));
  return result;
}

export class TourStepController {
  now = $state.raw<Study | null>(null);
  view = $state.raw<View | null>(null); // what is drawn: during an animation, a view that leads to `now`
  seat = $state(0); // the seat whose perspective is shown
  chosen = $state<string | null>(null);
  effects = $state.raw<readonly Effect[]>([]); // what led to this view
  last = $state.raw<{ seat: number; move: Move } | null>(null);
  made = $state.raw<string[]>([]);
  verdict = $state<Verdict>('');
  facts = $state.raw<Fact[]>([]); // what the last move did, or would have done
  looked = $state.raw<{ preview: Preview; facts: Fact[] } | null>(null); // the move that is pointed at
  tried = $state.raw<Preview | null>(null); // the chosen move, until it is taken back
  at = $state.raw<string[] | null>(null); // what the animation points at
  animating = $state(false);
  failed = $state(false);
  #ended = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pointing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly game: GameName,
    readonly step: TourStep,
    readonly onright: () => void,
  ) {
    void this.open();
  }

  readonly complete = $derived.by(() => this.made.length >= (this.step.do?.length ?? 0));
  readonly moves = $derived.by(() => (this.complete || this.animating ? [] : (this.now?.moves ?? [])));

  async open(): Promise<void> {
    clearTimeout(this.#timer);
    this.failed = false;
    try {
      const now = await cachedStudy(this.step.position);
      if (this.#ended) return;
      this.chosen = this.last = this.looked = this.tried = this.at = null;
      this.made = [];
      this.facts = [];
      this.verdict = '';
      this.animating = false;
      this.now = now;
      this.view = now.start;
      this.effects = [];
      this.seat = now.start.seat ?? 0;
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
    if (this.complete || this.animating) return;
    clearTimeout(this.#timer);
    clearTimeout(this.#pointing);
    this.chosen = move;
    this.tried = null;
    if (!move) return;
    this.looked = null;
    const legal = findMove(this.moves, move);
    const wanted = this.step.do?.[this.made.length] ?? [];
    if (legal && isWanted(wanted, legal, playOf(this.game).moveParts)) void this.#make(move);
    else void this.#takeBack(move);
  };

  // Effects are shown with a delay: on a phone the texts grow over the board, which must not happen under a tapping
  // finger.
  look = (move: string | null): void => {
    clearTimeout(this.#pointing);
    if (!move || this.complete || this.animating || this.chosen) this.looked = null;
    else this.#pointing = setTimeout(() => void this.#point(move), DWELL);
  };

  async #point(move: string): Promise<void> {
    const preview = await this.#preview(move);
    if (preview && !this.complete && !this.animating && !this.chosen)
      this.looked = { preview, facts: this.#explain(preview) };
  }

  async #preview(move: string): Promise<Preview | null> {
    try {
      return (await cachedStudy(this.step.position, this.made, [move])).previews[0] ?? null;
    } catch {
      return null;
    }
  }

  #explain(preview: Preview): Fact[] {
    return this.view ? explain(this.game, preview, this.view) : [];
  }

  async #takeBack(move: string): Promise<void> {
    const preview = await this.#preview(move);
    if (this.#ended || this.chosen !== move) return;
    this.verdict = 'other';
    this.tried = preview;
    this.facts = preview ? this.#explain(preview) : [];
    this.#timer = setTimeout(() => (this.chosen = this.tried = null), TAKE_BACK_AFTER);
  }

  async #make(move: string): Promise<void> {
    const before = this.view;
    if (!before) return;
    this.animating = true;
    try {
      const after = await cachedStudy(this.step.position, [...this.made, move]);
      if (this.#ended) return;
      const ply = after.steps.at(-1)!;
      this.facts = this.#explain({ typed: move, ...ply });
      this.made = [...this.made, move];
      this.verdict = 'right';
      this.last = { seat: ply.actor, move: ply.move };
      this.now = after;
      this.chosen = null;
      const view = viewsOf(after.start, after.steps).at(-1)!;
      const frames = playOf(this.game).frames(before, ply.effects, view);
      await this.#animate(frames);
      if (this.#ended) return;
      this.view = view;
      this.effects = frames.at(-1)?.effects ?? ply.effects;
      this.at = null;
      this.animating = false;
      if (this.complete) this.onright();
    } catch {
      this.animating = false;
      this.failed = !this.#ended;
    }
  }

  // Animate the end of a round frame by frame; what it scored for the learner stays on the screen.
  async #animate(frames: Frame[]): Promise<void> {
    if (!frames.length) return;
    this.facts = frames
      .filter((frame) => frame.text && frame.seat === this.seat)
      .map(({ text, points }) => ({ tone: !points ? 'plain' : points > 0 ? 'good' : 'bad', text }));
    for (const frame of pace() ? frames : []) {
      this.view = frame.view;
      this.effects = frame.effects;
      this.at = frame.at;
      await new Promise((done) => setTimeout(done, pace() * 2));
      if (this.#ended) return;
    }
  }
}
