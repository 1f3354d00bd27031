// Composes a move: a card, its rotation, a place. All choices come from the legal moves.
import { findMove } from '../../lib/moves';
import type { Move } from '../../lib/types';
import { cellKey, visibleKinds, cellsOf, type Place } from './geometry';
import { choicesIn, layOf, layText, rotatePieces, type PlacedCard, type Spot } from './moves';
import type { SchokolyView } from './wire';

export interface SelectionProps {
  moves: Move[];
  chosen: string | null;
  view: SchokolyView;
  hand: string[];
  choose: (move: string | null) => void;
  look: (move: string | null) => void;
}

export class CardSelection {
  index = $state(-1); // of the card in hand, -1 for none
  turn = $state(0); // in quarters clockwise
  at = $state<Place | null>(null); // the place that is pointed at
  #props: () => SelectionProps;

  constructor(props: () => SelectionProps) {
    this.#props = props;
  }

  choices = $derived.by(() => choicesIn(this.#props().moves));
  #visibleKinds = $derived.by(() => visibleKinds(this.#props().view.groups));
  card = $derived.by(() => this.#props().hand[this.index] ?? null);
  pieces = $derived.by(() => (this.card ? rotatePieces(this.card, this.turn) : null));
  spots = $derived.by((): Spot[] => (this.card ? (this.choices.spots[this.card] ?? []) : []));
  laying = $derived.by(() => Object.keys(this.choices.spots).length > 0);

  // The move that is pointed at, legal or not.
  pointed = $derived.by((): (PlacedCard & { move: string; legal: boolean }) | null => {
    if (!this.at || !this.pieces) return null;
    const { at, pieces } = this;
    const { x, y } = at;
    const spot = this.spots.find((one) => one.x === x && one.y === y);
    const move = spot?.moves[this.turn];
    if (spot && move) return { move, legal: true, pieces, x, y, level: spot.level };
    const placed = { pieces, x, y, level: spot?.level ?? this.#intendedLevel(x, y) };
    return { move: layText(placed), legal: false, ...placed };
  });

  // The level meant by pointing where no card fits: the second one over three pieces or more.
  #intendedLevel(x: number, y: number): 1 | 2 {
    return cellsOf({ x, y }).filter(([column, row]) => this.#visibleKinds.has(cellKey(column, row))).length > 2 ? 2 : 1;
  }

  select(index: number): void {
    if (index !== this.index) this.turn = 0;
    this.index = index;
    this.#drop();
  }

  leave(): void {
    this.index = -1;
    this.at = null;
    this.turn = 0;
    this.#drop();
    this.#props().look(null);
  }

  // The chosen move, if it lays a card.
  #laid() {
    const { moves, chosen } = this.#props();
    return layOf(findMove(moves, chosen));
  }

  #drop(): void {
    if (this.#laid()) this.#props().choose(null);
  }

  // Turn by a quarter. A card that is already on a spot goes on to the next rotation that fits there.
  rotate(by: 1 | -1 = 1): void {
    if (this.index < 0) return;
    const { choose } = this.#props();
    const lies = this.#laid();
    if (lies) {
      const spot = this.spots.find((one) => one.x === lies.x && one.y === lies.y);
      for (let quarters = 1; quarters < 4; quarters += 1) {
        const turn = (this.turn + by * quarters + 8) % 4;
        const move = spot?.moves[turn];
        if (!move) continue;
        this.turn = turn;
        choose(move);
        return;
      }
      choose(null);
    }
    this.turn = (this.turn + by + 4) % 4;
    this.preview();
  }

  point(place: Place | null): void {
    if (place?.x === this.at?.x && place?.y === this.at?.y) return;
    this.at = place;
    this.preview();
  }

  preview(): void {
    this.#props().look(this.pointed?.move ?? null);
  }

  // Lay the card there in the first rotation that fits. If none does, show why.
  lay(place: Place): boolean {
    const spot = this.spots.find((one) => one.x === place.x && one.y === place.y);
    const turn = spot?.moves[this.turn] ? this.turn : (spot?.moves.findIndex(Boolean) ?? -1);
    this.at = { x: place.x, y: place.y };
    if (!spot || turn < 0) {
      this.preview();
      return false;
    }
    this.turn = turn;
    this.#props().choose(spot.moves[turn]!);
    return true;
  }

  // The choice was changed elsewhere (a hint was followed, a choice was undone): select the card that matches it.
  follow(): void {
    const { hand } = this.#props();
    if (this.index >= hand.length) this.index = -1;
    const lies = this.#laid();
    if (!lies) return;
    if (this.card !== lies.card) this.index = hand.indexOf(lies.card);
    this.turn = lies.turns;
  }
}
