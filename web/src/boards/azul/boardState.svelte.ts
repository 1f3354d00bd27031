// The state that the components of one Azul board share: its props, and the move that is being composed.
import { getContext, setContext } from 'svelte';
import type { AzulView } from './view';
import type { BoardProps } from '../types';
import { placementOf, type Placement } from './placement';
import { agrees, attempt, picks, takeIn, targets, parseMove, movesTo } from './moves';

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

  readonly picks = $derived.by(() => picks(this.props.moves));
  readonly pick = $derived.by(() => {
    const take = takeIn(this.props.chosen);
    return this.picked ?? (take ? take.source + take.colour : null);
  });
  readonly targets = $derived.by(() => (this.pick ? targets(this.props.moves, this.pick) : new Set<string>()));
  readonly chosen = $derived.by(() => (this.picked || !this.props.chosen ? null : parseMove(this.props.chosen)));
  readonly shown = $derived.by(() => (this.props.shown ? parseMove(this.props.shown) : null));
  readonly last = $derived.by(() => (this.props.last ? parseMove(this.props.last.move) : null));
  readonly cells = $derived.by(() => new Set(this.props.moves.filter((move) => parseMove(move).kind === 'cell')));
  // The row of the grey wall whose tile is waiting for its column.
  readonly tilingRow = $derived.by(() => {
    const first = parseMove([...this.cells][0] ?? '');
    return first.kind === 'cell' ? first.row : 0;
  });
  // The seat to move, whose board is highlighted.
  readonly mover = $derived.by(() => (this.props.moves.length ? this.props.view.seat : null));
  // Where the chosen move would place its tiles, even while the sides of the spreader are missing.
  readonly ghost = $derived.by((): Placement | null => {
    const seat = this.mover;
    const board = seat === null ? undefined : this.props.view.boards[seat];
    const take = this.aimed ? takeIn(this.spreaderMoves[0]) : this.chosen?.kind === 'take' ? this.chosen : null;
    return take && board ? placementOf(this.props.view, board, take) : null;
  });
  // The moves among which the user chooses by sending the rest of the spreader left or right; otherwise empty.
  readonly spreaderMoves = $derived.by(() => {
    const take = takeIn(this.props.chosen);
    const to = this.aimed ?? (this.picked ? null : take?.to);
    const matches = this.pick && to ? movesTo(this.props.moves, this.pick, to) : [];
    return matches.length > 1 || (this.aimed && matches.length) ? matches : [];
  });

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
    const chosen = this.picked ? null : this.props.chosen;
    if (chosen?.startsWith(pick + to)) {
      this.props.choose(chosen);
      return;
    }
    const matches = movesTo(this.props.moves, pick, to);
    if (matches.length === 1) {
      this.drop();
      this.props.choose(matches[0]!);
    } else {
      if (this.props.chosen) this.props.choose(null);
      this.picked = pick;
      this.aimed = to;
      this.sides = {};
    }
  }

  // Send one colour of the rest of the spreader to one side; the last colour completes the move.
  pass(colour: string, side: string): void {
    const sides = { ...this.chosenSides, [colour]: side };
    const matches = this.spreaderMoves.filter((move) => agrees(move, sides));
    if (matches.length === 1) {
      this.drop();
      this.props.choose(matches[0]!);
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

  lookAt(to: string | null): void {
    this.props.look(this.pick && to ? attempt(this.props.moves, this.pick, to) : null);
  }

  // The state of a line, "1" to "5" or "F", on the board of a seat.
  isLast(seat: number, to: string): boolean {
    return this.props.last?.seat === seat && this.last?.kind === 'take' && this.last.to === to;
  }
  isShown(seat: number, to: string): boolean {
    return this.props.view.seat === seat && this.shown?.kind === 'take' && this.shown.to === to;
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
