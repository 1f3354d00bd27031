// Composes a move choice by choice. The last choice is the board's `chosen`; the ones before it are stored here.
import { findMove, textOf } from '../../lib/moves';
import type { View } from '../../lib/types';
import type { BoardProps } from '../types';
import { choices, pathOf } from './moveParts';
import type { Choice, Offered, Part, TextGame } from './types';

export class MoveBuilder {
  #path = $state.raw<Choice[]>([]);
  #turn = $state(''); // the legal moves when the path was chosen
  constructor(
    readonly props: () => BoardProps<View>,
    readonly text: () => Pick<TextGame<View>, 'parts' | 'offer'>,
  ) {}

  // A path is valid only for the turn in which it was chosen.
  readonly #now = $derived.by(() => this.props().moves.map(textOf).join(' '));
  readonly path = $derived(this.#now === this.#turn ? this.#path : []);
  readonly offered = $derived.by((): Offered[] => {
    const { moves } = this.props();
    const legal = this.#choices(this.path).map((choice) => ({ ...choice, legal: true }));
    return this.text().offer?.(legal, this.path, moves) ?? legal;
  });
  readonly first = $derived.by(() => this.#choices([])); // the choices of the first step
  readonly step = $derived(this.offered[0]?.step ?? null);

  #choices(path: Choice[]): Choice[] {
    return choices((move) => this.text().parts(move), this.props().moves, path);
  }

  // Whether a part is chosen, at this step or as the last one.
  isChosen(choice: Choice): boolean {
    const { chosen } = this.props();
    return choice.move !== null && choice.move === chosen;
  }
  isOnPath(part: Part): boolean {
    return this.path.some((one) => one.step === part.step && one.value === part.value);
  }

  // Choose at a step; later choices are discarded.
  pick(choice: Choice, depth = this.path.length): void {
    const { choose, chosen } = this.props();
    if (choice.move !== null) {
      this.#setPath(this.path.slice(0, depth));
      choose(choice.move);
      return;
    }
    if (chosen !== null) choose(null);
    this.#setPath([...this.path.slice(0, depth), choice]);
  }

  // Choose a whole move; the path is set too, so that the move can be changed step by step.
  jump(move: string): void {
    const { moves, choose } = this.props();
    const legal = findMove(moves, move);
    if (legal) this.#setPath(pathOf((one) => this.text().parts(one), legal).slice(0, -1));
    choose(move);
  }

  // Go back one step; false if there is none.
  back(): boolean {
    const { choose, chosen } = this.props();
    if (chosen !== null) choose(null);
    else if (this.path.length) this.#setPath(this.path.slice(0, -1));
    else return false;
    return true;
  }

  #setPath(path: Choice[]): void {
    this.#path = path;
    this.#turn = this.#now;
  }
}
