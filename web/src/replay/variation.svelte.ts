// A variation from a position: moves are added by playing them, and can be stepped through.
import { study } from '../lib/api';
import type { AzulView, GameName, Preview, SchokolyView, Study, View } from '../lib/types';

export interface VariationStep {
  position: string; // after the move
  move: string; // '' in the first step
  actor: number;
}

const STORAGE_KEY = 'tilery.variation';
const MAX_DEALS = 60;

export class VariationExplorer {
  steps = $state.raw<VariationStep[]>([]);
  at = $state(0);
  now = $state.raw<Study | null>(null);
  before = $state.raw<Study['view'] | null>(null); // the view in which the last move was made
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
    this.#setStep(0, result, null);
  }

  async go(at: number): Promise<void> {
    const step = this.steps[at];
    const earlier = this.steps[at - 1];
    if (!step) return;
    const [result, before] = await Promise.all([
      earlier ? study(earlier.position, [step.move]) : study(step.position),
      earlier ? study(earlier.position) : null,
    ]);
    this.#setStep(at, result, before?.view ?? null);
  }

  async play(move: string): Promise<void> {
    const now = this.now;
    if (!now || this.busy) return;
    this.busy = true;
    try {
      const result = await study(now.position, [move]);
      const step = { position: result.position, move, actor: now.actor ?? -1 };
      this.steps = [...this.steps.slice(0, this.at + 1), step];
      this.#setStep(this.at + 1, result, now.view);
    } finally {
      this.busy = false;
    }
  }

  // Deal at random until it is somebody's turn.
  async deal(): Promise<void> {
    for (let count = 0; count < MAX_DEALS && this.now?.actor === -1 && this.now.moves.length; count += 1)
      await this.play(randomDeal(this.now.game, this.now.view, this.now.moves, Math.random()));
  }

  async preview(move: string): Promise<Preview | null> {
    const now = this.now;
    const known = this.#previews.get(move);
    if (!now || known) return known ?? null;
    const result = (await study(now.position, [], [move])).previews[0] ?? null;
    if (result && now === this.now) this.#previews.set(move, result);
    return result;
  }

  #setStep(at: number, result: Study, before: Study['view'] | null): void {
    this.at = at;
    this.now = result;
    this.before = before;
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

// A random deal for the analysis board, drawn with its true probability.

const CARDS = 'DDDM DDDW MMMD MMMW WWWD WWWM DDMM DDWW MMWW DDMW MMWD WWDM'.split(' ');

// The number of ways to choose k of n.
function binomial(n: number, k: number): number {
  let count = 1;
  for (let i = 0; i < k; i += 1) count *= (n - i) / (i + 1);
  return count;
}

// The relative probability of a deal; an approximation if tiles of the lid are needed.
export function dealWeight(game: GameName, view: View, move: string): number {
  if (!move.startsWith('+')) return 1;
  const dealt = move.slice(1);
  if (game === 'schokoly') return (view as SchokolyView).stack?.[CARDS.indexOf(dealt)] ?? 1;
  const { bag, lid } = view as AzulView;
  const enough = bag.reduce((sum, count) => sum + count, 0) >= dealt.length;
  return [...'BYRKW'].reduce((product, colour, at) => {
    const count = enough ? bag[at]! : bag[at]! + lid[at]!;
    return product * binomial(count, dealt.split(colour).length - 1);
  }, 1);
}

export function randomDeal(game: GameName, view: View, moves: string[], chance: number): string {
  const weights = moves.map((move) => Math.max(0, dealWeight(game, view, move)));
  let left = chance * weights.reduce((sum, weight) => sum + weight, 0);
  const at = weights.findIndex((weight) => (left -= weight) < 0);
  return moves[at] ?? moves.at(-1)!;
}
