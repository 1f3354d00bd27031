// What the parts of one Azul table share: the props of the board, and the move that is being put together.
import { getContext, setContext } from 'svelte';
import type { AzulView, BoardProps } from '../../lib/types';
import { made, type Made } from './made';
import { agrees, attempt, picks, takeIn, targets, told, ways } from './moves';

const KEY = Symbol('azul');

export class Table {
  readonly props: BoardProps<AzulView>;
  picked = $state<string | null>(null); // "4B": what is lifted, before a line is chosen
  aimed = $state<string | null>(null); // the line, while the sides of the spreader are being said
  sides = $state<Record<string, string>>({});
  about = $state<number | null>(null); // the special disc whose meaning is shown
  onpick: () => void = () => {}; // somebody has picked: the own board must be in sight

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
  readonly chosen = $derived.by(() => (this.picked || !this.props.chosen ? null : told(this.props.chosen)));
  readonly shown = $derived.by(() => (this.props.shown ? told(this.props.shown) : null));
  readonly last = $derived.by(() => (this.props.last ? told(this.props.last.move) : null));
  readonly cells = $derived.by(() => new Set(this.props.moves.filter((move) => told(move).kind === 'cell')));
  // The row of the grey wall whose tile waits for its column.
  readonly tilingRow = $derived.by(() => {
    const first = told([...this.cells][0] ?? '');
    return first.kind === 'cell' ? first.row : 0;
  });
  // Who makes the move: the seat to act, whose board lights up.
  readonly mover = $derived.by(() => (this.props.moves.length ? this.props.view.seat : null));
  // What the chosen move would put where, also while only its sides are missing.
  readonly ghost = $derived.by((): Made | null => {
    const seat = this.mover;
    const board = seat === null ? undefined : this.props.view.boards[seat];
    const take = this.aimed ? takeIn(this.ways[0]) : this.chosen?.kind === 'take' ? this.chosen : null;
    return take && board ? made(this.props.view, board, take) : null;
  });
  // The spreader: the ways that the rest can go, while they are asked for.
  readonly ways = $derived.by(() => {
    const take = takeIn(this.props.chosen);
    const to = this.aimed ?? (this.picked ? null : take?.to);
    const found = this.pick && to ? ways(this.props.moves, this.pick, to) : [];
    return found.length > 1 || (this.aimed && found.length) ? found : [];
  });

  get focus(): string[] {
    return this.props.focus ?? [];
  }
  isFocus(thing: string): boolean {
    return this.focus.includes(thing);
  }
  // Whether somebody points at a part of this board: "line:2" means that of the viewer, "board:2:line:2" of seat 2.
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

  // A source was picked, or let go.
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

  // Take back whatever has been begun; whether there was anything.
  undo(): boolean {
    const begun = Boolean(this.picked || this.props.chosen || this.about !== null);
    this.about = null;
    this.drop();
    if (this.props.chosen) this.props.choose(null);
    if (begun) this.props.look(null);
    return begun;
  }

  // A line was chosen for what is picked: the move, or the question where the rest of the spreader goes.
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
    const found = ways(this.props.moves, pick, to);
    if (found.length === 1) {
      this.drop();
      this.props.choose(found[0]!);
    } else {
      if (this.props.chosen) this.props.choose(null);
      this.picked = pick;
      this.aimed = to;
      this.sides = {};
    }
  }

  // One colour of the spreader's rest goes to one side; with the last one the move is complete.
  pass(colour: string, side: string): void {
    const sides = { ...this.saidSides, [colour]: side };
    const found = this.ways.filter((move) => agrees(move, sides));
    if (found.length === 1) {
      this.drop();
      this.props.choose(found[0]!);
    } else this.sides = sides;
  }

  get saidSides(): Record<string, string> {
    const take = this.chosen?.kind === 'take' ? this.chosen : null;
    if (!take) return this.sides;
    const said: Record<string, string> = {};
    for (const colour of take.left) said[colour] = '<';
    for (const colour of take.right) said[colour] = '>';
    return said;
  }

  cell(move: string): void {
    if (this.cells.has(move)) this.props.choose(move);
    else this.props.look(move);
  }

  lookAt(to: string | null): void {
    this.props.look(this.pick && to ? attempt(this.props.moves, this.pick, to) : null);
  }

  // Marks of a line, "1" to "5" or "F", on the board of a seat.
  isLast(seat: number, to: string): boolean {
    return this.props.last?.seat === seat && this.last?.kind === 'take' && this.last.to === to;
  }
  isShown(seat: number, to: string): boolean {
    return this.props.view.seat === seat && this.shown?.kind === 'take' && this.shown.to === to;
  }
  // Whose lines are buttons. Those of the viewer stay it while others move, so that the focus is not lost.
  isPressable(seat: number): boolean {
    return seat === (this.mover ?? this.props.viewer);
  }
  isOpen(seat: number, to: string): boolean {
    return this.mover === seat && this.targets.has(to);
  }
}

export function theTable(): Table {
  return getContext<Table>(KEY);
}
