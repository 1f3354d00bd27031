// A variation from a position: moves are added by playing them, and can be stepped through.
import { study, studyDeals } from '../lib/api';
import type { Preview, Study } from '../lib/types';

export interface VariationStep {
  position: string; // after the move
  move: string; // '' in the first step
  actor: number;
}

const STORAGE_KEY = 'tilery.variation';

export class VariationExplorer {
  steps = $state.raw<VariationStep[]>([]);
  at = $state(0);
  now = $state.raw<Study | null>(null);
  busy = $state(false);
  #previews = new Map<string, Preview>();

  async open(position: string): Promise<void> {
    const kept = storedVariation();
    const at = kept?.steps.findIndex((step) => step.position === position) ?? -1;
    if (kept && at >= 0) {
      this.steps = kept.steps;
      await this.go(at);
      return;
    }
    const result = await study(position);
    this.steps = [{ position: result.position, move: '', actor: -1 }];
    this.#setStep(0, result);
  }

  async go(at: number): Promise<void> {
    const step = this.steps[at];
    const earlier = this.steps[at - 1];
    if (!step) return;
    this.#setStep(at, await (earlier ? study(earlier.position, [step.move]) : study(step.position)));
  }

  async play(move: string): Promise<void> {
    const now = this.now;
    if (!now || this.busy) return;
    this.busy = true;
    try {
      const result = await study(now.position, [move]);
      this.#add([{ position: result.position, move, actor: now.actor ?? -1 }], result);
    } finally {
      this.busy = false;
    }
  }

  // Deal at random until it is somebody's turn.
  async deal(): Promise<void> {
    if (!this.now || this.busy) return;
    this.busy = true;
    try {
      const result = await studyDeals(this.now.position);
      this.#add(
        result.dealt.map((step) => ({ ...step, actor: -1 })),
        result,
      );
    } finally {
      this.busy = false;
    }
  }

  async preview(move: string): Promise<Preview | null> {
    const now = this.now;
    const known = this.#previews.get(move);
    if (!now || known) return known ?? null;
    const result = (await study(now.position, [], [move])).previews[0] ?? null;
    if (result && now === this.now) this.#previews.set(move, result);
    return result;
  }

  #add(steps: VariationStep[], result: Study): void {
    this.steps = [...this.steps.slice(0, this.at + 1), ...steps];
    this.#setStep(this.at + steps.length, result);
  }

  #setStep(at: number, result: Study): void {
    this.at = at;
    this.now = result;
    this.#previews.clear();
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ steps: this.steps }));
  }
}

function storedVariation(): { steps: VariationStep[] } | null {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null');
  } catch {
    return null;
  }
}
