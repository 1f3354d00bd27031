// The state that the components of one Azul board share: its props, and the move that is being composed.
import { getContext, setContext } from 'svelte';
import { findMove, textOf } from '../../lib/moves';
import type { Effect } from '../../lib/types';
import type { BoardProps } from '../types';
import { agrees, attempt, lineName, moveOf, pickOf, takeOf, takesIn, takesTo } from './moves';
import type { AzulEffect, AzulMove, AzulView, Take } from './wire';

// Where a take would place its tiles.
export interface Placement {
  line: number | null;
  placed: string;
  floor: string;
  saucer: string; // what it catches
}

export function placementOf(effects: readonly Effect[]): Placement {
  const placement: Placement = { line: null, placed: '', floor: '', saucer: '' };
  for (const effect of effects as AzulEffect[]) {
    if (effect.type === 'marker-taken' && effect.to) placement[effect.to] += 'm';
    else if (effect.type === 'placed') {
      placement.line = effect.line;
      placement.placed = effect.colour.repeat(effect.number);
    } else if (effect.type === 'fell' && effect.line === null) {
      placement.saucer += effect.colour.repeat(effect.saucer);
      placement.floor += effect.colour.repeat(effect.floor);
    } else if (effect.type === 'offer-ended') break;
  }
  return placement;
}

const KEY = Symbol('azul');

export class BoardState {
  readonly props: BoardProps<AzulView>;
  picked = $state<string | null>(null); // source and colour, such as "4B", until a line is chosen
  aimed = $state<string | null>(null); // the chosen line, while the sides of the spreader are being chosen
  sides = $state<Record<string, string>>({});
  about = $state<number | null>(null); // the special factory whose explanation is shown
  onpick: () => void = () => {}; // something was picked: the viewer's board must be visible

  constructor(props: BoardProps<AzulView>) {
    this.props = props;
    setContext(KEY, this);
  }

  readonly takes = $derived.by(() => takesIn(this.props.moves));
  readonly picks = $derived.by(() => new Set(this.takes.map(pickOf)));
  readonly chosen = $derived.by(() => (this.picked ? null : this.#find(this.props.chosen)));
  readonly shown = $derived.by(() => this.#find(this.props.shown));
  readonly last = $derived.by(() => (this.props.last ? moveOf(this.props.last.move) : null));
  readonly pick = $derived.by(() => this.picked ?? (this.chosen?.kind === 'take' ? pickOf(this.chosen) : null));
  readonly targets = $derived.by(
    () => new Set(this.takes.filter((take) => pickOf(take) === this.pick).map((take) => lineName(take.line))),
  );
  readonly cells = $derived.by(() => new Set(this.takes.length ? [] : this.props.moves.map(textOf)));
  // The line of the grey wall whose tile is waiting for its column.
  readonly tilingLine = $derived.by(() => {
    const first = this.props.moves[0] && moveOf(this.props.moves[0]);
    return first?.kind === 'cell' ? first.line : null;
  });
  // The seat to move, whose board is highlighted.
  readonly mover = $derived.by(() => (this.props.moves.length ? this.props.view.seat : null));
  // Where the chosen move would place its tiles, even while the sides of the spreader are missing.
  readonly ghost = $derived.by((): Placement | null => {
    const { preview, view } = this.props;
    if (this.#placements.view !== view) this.#placements = { view, known: new Map() };
    const { known } = this.#placements;
    const shown = takeOf(preview?.move);
    if (shown && preview?.effects) known.set(pickOf(shown) + lineName(shown.line), placementOf(preview.effects));
    const take = this.aimed ? this.spreaderMoves[0] : this.chosen;
    if (this.mover === null || take?.kind !== 'take') return null;
    return known.get(pickOf(take) + lineName(take.line)) ?? null;
  });
  #placements: { view: AzulView | null; known: Map<string, Placement> } = { view: null, known: new Map() };
  // The moves among which the user chooses by sending the rest of the spreader left or right; otherwise empty.
  readonly spreaderMoves = $derived.by((): Take[] => {
    const line = this.aimed ?? (this.chosen?.kind === 'take' ? lineName(this.chosen.line) : null);
    const matches = this.pick && line ? takesTo(this.takes, this.pick, line) : [];
    return matches.length > 1 || (this.aimed && matches.length) ? matches : [];
  });

  #find(text: string | null | undefined): AzulMove | null {
    const move = findMove(this.props.moves, text ?? null, this.props.preview);
    return move ? moveOf(move) : null;
  }

  get focus(): string[] {
    return this.props.focus ?? [];
  }
  isFocus(thing: string): boolean {
    return this.focus.includes(thing);
  }
  // Whether a tour points at a part of this board: "line:2" is the viewer's, "board:2:line:2" that of seat 2.
  isFocusOf(seat: number, thing: string): boolean {
    const mine = seat === (this.props.viewer ?? this.props.view.seat ?? 0);
    return this.isFocus(`board:${seat + 1}:${thing}`) || (mine && this.isFocus(thing));
  }
  isPicked(source: string, colour: string): boolean {
    return this.pick === source + colour;
  }
  isLegal(source: string, colour: string): boolean {
    return this.picks.has(source + colour);
  }
  name(seat: number): string {
    return this.props.names[seat] ?? '';
  }

  // Pick tiles of a source, or unpick them if they are picked.
  lift(pick: string): void {
    if (!this.picks.has(pick)) return;
    const again = this.picked === pick;
    if (this.props.chosen) this.props.choose(null);
    this.drop();
    this.picked = again ? null : pick;
    if (this.picked) this.onpick();
  }

  drop(): void {
    this.picked = null;
    this.aimed = null;
    this.sides = {};
  }

  // Undo whatever has been started; returns whether there was anything.
  undo(): boolean {
    const begun = Boolean(this.picked || this.props.chosen || this.about !== null);
    this.about = null;
    this.drop();
    if (this.props.chosen) this.props.choose(null);
    if (begun) this.props.look(null);
    return begun;
  }

  // Choose a line for the picked tiles: this completes the move, unless the spreader asks where its rest goes.
  aim(to: string): void {
    const pick = this.pick;
    if (!pick) return;
    if (!this.targets.has(to)) {
      this.lookAt(to);
      return;
    }
    if (this.chosen?.kind === 'take' && lineName(this.chosen.line) === to) {
      this.props.choose(this.chosen.text);
      return;
    }
    const matches = takesTo(this.takes, pick, to);
    if (matches.length === 1) {
      this.drop();
      this.props.choose(matches[0]!.text);
    } else {
      if (this.props.chosen) this.props.choose(null);
      this.picked = pick;
      this.aimed = to;
      this.sides = {};
      this.lookAt(to);
    }
  }

  // Send one colour of the rest of the spreader to one side; the last colour completes the move.
  pass(colour: string, side: string): void {
    const sides = { ...this.chosenSides, [colour]: side };
    const matches = this.spreaderMoves.filter((take) => agrees(take, sides));
    if (matches.length === 1) {
      this.drop();
      this.props.choose(matches[0]!.text);
    } else this.sides = sides;
  }

  get chosenSides(): Record<string, string> {
    const take = this.chosen?.kind === 'take' ? this.chosen : null;
    if (!take) return this.sides;
    const sides: Record<string, string> = {};
    for (const colour of take.left) sides[colour] = '<';
    for (const colour of take.right) sides[colour] = '>';
    return sides;
  }

  cell(move: string): void {
    if (this.cells.has(move)) this.props.choose(move);
    else this.props.look(move);
  }

  // Show what the move to a line would do; without one, what is known of the move that is being composed.
  lookAt(to: string | null): void {
    const line = to ?? this.aimed;
    this.props.look(this.pick && line ? attempt(this.takes, this.pick, line) : null);
  }

  // The state of a line, "1" to "5" or "F", on the board of a seat.
  isLast(seat: number, to: string): boolean {
    return this.props.last?.seat === seat && this.last?.kind === 'take' && lineName(this.last.line) === to;
  }
  isShown(seat: number, to: string): boolean {
    return this.props.view.seat === seat && this.shown?.kind === 'take' && lineName(this.shown.line) === to;
  }
  // Whether the lines of a seat are buttons. The viewer's stay buttons while others move, so that the focus is not lost.
  isPressable(seat: number): boolean {
    return seat === (this.mover ?? this.props.viewer);
  }
  isOpen(seat: number, to: string): boolean {
    return this.mover === seat && this.targets.has(to);
  }
}

export function getBoardState(): BoardState {
  return getContext<BoardState>(KEY);
}
