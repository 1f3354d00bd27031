// What a game gives to the text board.
import type { Component, Snippet } from 'svelte';
import type { GameName, Move } from '../../lib/types';
import type { MoveBuilder } from './moveBuilder.svelte';

// One choice of a move, such as the step "line" with the value "3".
export interface Part {
  step: string;
  value: string;
}

export interface Choice extends Part {
  moves: Move[]; // the legal moves that start with this choice
  move: string | null; // the text of the complete move, if nothing is left to choose
}

export interface Offered extends Choice {
  legal: boolean;
}

export interface LayoutProps<V> {
  game: GameName;
  view: V;
  names: string[];
  viewer: number | null;
  actor: number | null;
  focus: string[];
  builder: MoveBuilder;
  panel: Snippet; // where moves are composed
}

export interface TextGame<V> {
  Layout: Component<LayoutProps<V>>; // the position in words, around the panel
  ChoiceLabel?: Component<{ part: Part }>; // drawn before the words of a choice
  example: string; // a move in notation
  ownStep?: string; // the step whose choices the layout offers itself
  parts(move: Move): Part[]; // the choices that make up a move
  offer?(choices: Offered[], path: Choice[], moves: Move[]): Offered[]; // the choices as they are listed
  pathShown?(path: Choice[]): Choice[]; // the choices so far, as they are repeated
  attributes?(choice: Choice): Record<string, string>; // of its button, as on the drawn board
  group?(choice: Choice): string; // the heading under which a choice is listed
  label?(choice: Choice): string; // its label under this heading
  question(view: V, choice: Choice | undefined): string; // what to choose now
  choice(view: V, choice: Choice, seat: number, names: string[]): string; // a choice in words
  thing(view: V, thing: string): string; // what a tour points at, '' if it has no name
  notes?(view: V, names: string[]): string[]; // shown above the choices
  round?(view: V): number;
  actor(view: V): number | null; // the seat to decide; null if chance acts or the game is over
}
