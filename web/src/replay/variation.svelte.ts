// A variation from a position: moves are added by playing them, and can be stepped through. Every step is one request
// at most.
import { study } from '../lib/api';
import { viewsOf } from '../lib/changes';
import type { Effect, Preview, Study, StudyRequest, StudyStep, View } from '../lib/types';

export interface Variation {
  text: string; // the first position, in notation
  start: View; // the same
  steps: StudyStep[];
}

const STORAGE_KEY = 'tilery.variation';

export class VariationExplorer {
  variation = $state.raw<Variation | null>(null);
  at = $state(0); // how many of the steps have been made
  now = $state.raw<Study | null>(null); // what can be done then
  effects = $state.raw<Effect[]>([]); // what led here from the position shown before; nothing after a jump
  busy = $state(false);
  readonly steps = $derived.by(() => this.variation?.steps ?? []);
  readonly step = $derived.by(() => this.steps[this.at - 1]); // the last one
  readonly views = $derived.by(() => (this.variation ? viewsOf(this.variation.start, this.steps) : []));
  readonly view = $derived.by(() => this.views[this.at] ?? null);
  #known = new Map<string, Study>(); // by the position that it ends with
  #previews = new Map<string, Preview>();

  async open(position: string): Promise<void> {
    const kept = storedVariation();
    const at = kept ? textsOf(kept).indexOf(position) : -1;
    const now = await this.#study({ position });
    this.#set(at < 0 ? { text: now.text, start: now.start, steps: [] } : kept!, Math.max(0, at), now, []);
  }

  async go(at: number): Promise<void> {
    const position = this.variation && textsOf(this.variation)[at];
    if (position === undefined || position === null) return;
    const effects = at === this.at + 1 ? this.steps[this.at]!.effects : [];
    this.#set(this.variation!, at, this.#known.get(position) ?? (await this.#study({ position })), effects);
  }

  play = (move: string): Promise<void> => this.#add({ moves: [move] });

  // Deal at random until it is somebody's turn.
  deal = (): Promise<void> => this.#add({ deal: true });

  // What a move would do, or why it is illegal.
  async preview(move: string): Promise<Preview | null> {
    const now = this.now;
    const known = this.#previews.get(move);
    if (!now || known) return known ?? null;
    const result = (await study({ position: now.text, preview: [move] })).previews[0] ?? null;
    if (result && now === this.now) this.#previews.set(move, result);
    return result;
  }

  async #add(wanted: Omit<StudyRequest, 'position'>): Promise<void> {
    const { variation, now, at } = this;
    if (!variation || !now || this.busy) return;
    this.busy = true;
    try {
      const result = await this.#study({ position: now.text, ...wanted });
      const steps = [...variation.steps.slice(0, at), ...result.steps];
      const effects = result.steps.flatMap((step) => step.effects);
      this.#set({ ...variation, steps }, steps.length, result, effects);
    } finally {
      this.busy = false;
    }
  }

  async #study(wanted: StudyRequest): Promise<Study> {
    const result = await study(wanted);
    this.#known.set(result.text, result);
    return result;
  }

  #set(variation: Variation, at: number, now: Study, effects: Effect[]): void {
    this.variation = variation;
    this.effects = effects;
    this.at = at;
    this.now = now;
    this.#previews.clear();
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify(variation));
    } catch {
      // storage is blocked or full: the variation is lost only by a reload
    }
  }
}

const textsOf = ({ text, steps }: Variation): string[] => [text, ...steps.map((step) => step.text)];

function storedVariation(): Variation | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null');
    return kept?.start ? kept : null;
  } catch {
    return null;
  }
}
