// A line of moves from a position: forward by playing, back and forward again by going through it.
import { study } from '../lib/api';
import type { Preview, Study } from '../lib/types';
import { drawn } from './dealing';

export interface Step {
  position: string; // after the move
  move: string; // '' for the first one
  actor: number;
}

const PLACE = 'tilery.line';
const MOST_DEALS = 60;

export class Line {
  steps = $state.raw<Step[]>([]);
  at = $state(0);
  now = $state.raw<Study | null>(null);
  before = $state.raw<Study['view'] | null>(null); // the view in which the last move was made
  busy = $state(false);
  #previews = new Map<string, Preview>();

  async open(position: string): Promise<void> {
    const kept = keptLine();
    const at = kept?.steps.findIndex((step) => step.position === position) ?? -1;
    if (kept && at >= 0) {
      this.steps = kept.steps;
      await this.go(at);
      return;
    }
    const found = await study(position);
    this.steps = [{ position: found.position, move: '', actor: -1 }];
    this.#stand(0, found, null);
  }

  async go(at: number): Promise<void> {
    const step = this.steps[at];
    const earlier = this.steps[at - 1];
    if (!step) return;
    const [found, before] = await Promise.all([
      earlier ? study(earlier.position, [step.move]) : study(step.position),
      earlier ? study(earlier.position) : null,
    ]);
    this.#stand(at, found, before?.view ?? null);
  }

  async play(move: string): Promise<void> {
    const now = this.now;
    if (!now || this.busy) return;
    this.busy = true;
    try {
      const found = await study(now.position, [move]);
      const step = { position: found.position, move, actor: now.actor ?? -1 };
      this.steps = [...this.steps.slice(0, this.at + 1), step];
      this.#stand(this.at + 1, found, now.view);
    } finally {
      this.busy = false;
    }
  }

  // Chance acts until somebody has to decide.
  async deal(): Promise<void> {
    for (let count = 0; count < MOST_DEALS && this.now?.actor === -1 && this.now.moves.length; count += 1)
      await this.play(drawn(this.now.game, this.now.view, this.now.moves, Math.random()));
  }

  async preview(move: string): Promise<Preview | null> {
    const now = this.now;
    const known = this.#previews.get(move);
    if (!now || known) return known ?? null;
    const found = (await study(now.position, [], [move])).previews[0] ?? null;
    if (found && now === this.now) this.#previews.set(move, found);
    return found;
  }

  #stand(at: number, found: Study, before: Study['view'] | null): void {
    this.at = at;
    this.now = found;
    this.before = before;
    this.#previews.clear();
    sessionStorage.setItem(PLACE, JSON.stringify({ steps: this.steps }));
  }
}

function keptLine(): { steps: Step[] } | null {
  try {
    return JSON.parse(sessionStorage.getItem(PLACE) ?? 'null');
  } catch {
    return null;
  }
}
