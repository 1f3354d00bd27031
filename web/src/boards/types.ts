// The props of boards, and the values that they show.
import type { Effect, GameName, Move, Preview, View } from '../lib/types';

// The props of every board. A board draws the view, lets the viewer compose one of the legal moves and reports the
// choice; confirming and sending it is left to the caller. Moves that are chosen, shown or looked at are texts.
export interface BoardProps<V> {
  game: GameName;
  view: V;
  names: string[]; // of the seats
  viewer: number | null; // the seat whose perspective is shown; its board comes first
  moves: Move[]; // the legal ones; empty if the viewer is not to move
  chosen: string | null; // a move waiting for confirmation, drawn faintly
  choose: (move: string | null) => void; // choosing the same move again confirms it; null undoes the choice
  look: (move: string | null) => void; // show the effects of a move, or why it is illegal
  last: { seat: number; move: Move } | null; // the move that stays marked
  effects?: readonly Effect[]; // what led to this view from the one shown before, if that is known
  focus?: string[]; // things to point at (tours), such as "factory:3"
  shown?: string | null; // a move to show, e.g. of a hint
  preview?: Preview | null; // the effects of the move that is pointed at or chosen
}

// One effect of a move, or one reason why it is illegal.
export interface Fact {
  tone: 'good' | 'bad' | 'plain';
  text: string;
}

// One step of an animated sequence, such as the tiling.
export interface Frame {
  view: View;
  text: string; // what happens here, in words; '' for nothing
  seat: number | null; // the seat that it concerns
  points: number | null;
  at: string[]; // things to point at, as in `focus`
  effects: readonly Effect[]; // what led here from the frame before
}

// What a round brought each player, for the log.
export interface RoundSummary {
  round: number;
  seats: { lines: string[]; points: number }[]; // what the points are for, in words, and their sum
}
