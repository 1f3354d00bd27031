// How a move is put together: a card, its rotation, a place. All of it comes out of the legal moves.
import type { SchokolyView } from '../../lib/types';
import { keyOf, seenOf, cellsOf, type Place } from './geometry';
import { cardOf, layText, readMove, readMoves, turned, type Spot } from './moves';

export interface Told {
  moves: string[];
  chosen: string | null;
  view: SchokolyView;
  hand: string[];
  choose: (move: string | null) => void;
  look: (move: string | null) => void;
}

export class Picking {
  index = $state(-1); // of the card in hand, -1 for none
  turn = $state(0); // in quarters clockwise
  at = $state<Place | null>(null); // what is pointed at
  #told: () => Told;

  constructor(told: () => Told) {
    this.#told = told;
  }

  choices = $derived.by(() => readMoves(this.#told().moves));
  #seen = $derived.by(() => seenOf(this.#told().view.groups));
  card = $derived.by(() => this.#told().hand[this.index] ?? null);
  pieces = $derived.by(() => (this.card ? turned(this.card, this.turn) : null));
  spots = $derived.by((): Spot[] => (this.card ? (this.choices.spots[this.card] ?? []) : []));
  laying = $derived.by(() => Object.keys(this.choices.spots).length > 0);

  // The move that is pointed at, legal or not.
  pointed = $derived.by((): { move: string; legal: boolean; x: number; y: number; level: 1 | 2 } | null => {
    if (!this.at || !this.pieces) return null;
    const { x, y } = this.at;
    const spot = this.spots.find((one) => one.x === x && one.y === y);
    const move = spot?.moves[this.turn];
    if (spot && move) return { move, legal: true, x, y, level: spot.level };
    const level = spot?.level ?? this.#meant(x, y);
    return { move: layText(this.pieces, x, y, level), legal: false, x, y, level };
  });

  // Where no card fits it is not clear which level was meant: over three pieces or more, the second one.
  #meant(x: number, y: number): 1 | 2 {
    return cellsOf({ x, y }).filter(([column, row]) => this.#seen.has(keyOf(column, row))).length > 2 ? 2 : 1;
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
    this.#told().look(null);
  }

  #drop(): void {
    const { chosen, choose } = this.#told();
    if (chosen && readMove(chosen).what === 'lay') choose(null);
  }

  // A quarter on. A card that lies on a spot already goes on to the next rotation that fits there.
  rotate(by: 1 | -1 = 1): void {
    if (this.index < 0) return;
    const { chosen, choose } = this.#told();
    const lies = chosen ? readMove(chosen) : null;
    if (lies?.what === 'lay') {
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
    this.tell();
  }

  point(place: Place | null): void {
    if (place?.x === this.at?.x && place?.y === this.at?.y) return;
    this.at = place;
    this.tell();
  }

  tell(): void {
    this.#told().look(this.pointed?.move ?? null);
  }

  // Lay the card there, turned to the first rotation that fits. Where none does, say why.
  lay(place: Place): boolean {
    const spot = this.spots.find((one) => one.x === place.x && one.y === place.y);
    const turn = spot?.moves[this.turn] ? this.turn : (spot?.moves.findIndex(Boolean) ?? -1);
    this.at = { x: place.x, y: place.y };
    if (!spot || turn < 0) {
      this.tell();
      return false;
    }
    this.turn = turn;
    this.#told().choose(spot.moves[turn]!);
    return true;
  }

  // Somebody else chose (a hint that is followed, a choice that is taken back): the hand follows.
  follow(): void {
    const { chosen, hand } = this.#told();
    if (this.index >= hand.length) this.index = -1;
    const lies = chosen ? readMove(chosen) : null;
    if (lies?.what !== 'lay') return;
    const { card, turn } = cardOf(lies.pieces);
    if (this.card !== card) this.index = hand.indexOf(card);
    this.turn = turn;
  }
}
