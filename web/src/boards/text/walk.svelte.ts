// The way to a move, choice by choice. The last choice is the board's `chosen`; the ones before it are kept here.
import type { BoardProps, View } from '../../lib/types';
import { attempt } from '../azul/moves';
import { choices, parts, type Choice, type Part } from './parts';

export interface Offered extends Choice {
  legal: boolean;
}

const TARGETS = ['1', '2', '3', '4', '5', 'F'];

export class Walk {
  #path = $state.raw<Part[]>([]);
  #turn = $state(''); // the moves among which it was chosen
  constructor(readonly props: () => BoardProps<View>) {}

  // A path that the game has run away from is no path any more.
  readonly #now = $derived.by(() => this.props().moves.join(' '));
  readonly path = $derived(this.#now === this.#turn ? this.#path : []);
  readonly offered = $derived.by((): Offered[] => {
    const { game, moves } = this.props();
    const found = choices(game, moves, this.path).map((choice) => ({ ...choice, legal: true }));
    return found[0]?.step === 'line' ? this.#lines(found) : found;
  });
  readonly step = $derived(this.offered[0]?.step ?? null);

  // Lines that are not possible are there too: who points at one is told why.
  #lines(found: Offered[]): Offered[] {
    const pick = this.path[0]!.value;
    return TARGETS.map((value) => {
      const move = attempt(this.props().moves, pick, value);
      return found.find((one) => one.value === value) ?? { step: 'line', value, moves: [], move, legal: false };
    });
  }

  // Whether something stands chosen, at this step or as the last one.
  isChosen(choice: Choice): boolean {
    const { chosen } = this.props();
    return choice.move !== null && choice.move === chosen;
  }
  isOnPath(part: Part): boolean {
    return this.path.some((one) => one.step === part.step && one.value === part.value);
  }

  // Choose at some step; whatever was chosen behind it is forgotten.
  pick(choice: Choice, depth = this.path.length): void {
    const { choose, chosen } = this.props();
    if (choice.move !== null) {
      this.#stand(this.path.slice(0, depth));
      choose(choice.move);
      return;
    }
    if (chosen !== null) choose(null);
    this.#stand([...this.path.slice(0, depth), { step: choice.step, value: choice.value }]);
  }

  // A whole move at once: the path follows, so that it can be changed step by step.
  jump(move: string): void {
    const { game, choose } = this.props();
    this.#stand(parts(game, move).slice(0, -1));
    choose(move);
  }

  // Back by one step. False if there is nothing to go back to.
  back(): boolean {
    const { choose, chosen } = this.props();
    if (chosen !== null) choose(null);
    else if (this.path.length) this.#stand(this.path.slice(0, -1));
    else return false;
    return true;
  }

  #stand(path: Part[]): void {
    this.#path = path;
    this.#turn = this.#now;
  }
}
