// The boards and the words of all games, from the file `play.ts` in the folder of each.
import type { Component } from 'svelte';
import type { Effect, GameName, Move, Ply, Preview, View } from '../lib/types';
import type { RefusalWords } from '../lib/refusals';
import type { TextGame } from './text/types';
import type { BoardProps, Fact, Frame, RoundSummary } from './types';
import { unknownGame } from './unknownGame';

export interface GamePlay<V> {
  Board: Component<BoardProps<V>>;
  moveParts: Record<string, readonly string[]>; // the names of the parts of each kind of move
  text?: TextGame<V>; // for the text board
  describeMove(move: Move, who: string, names: string[]): string; // a sentence; `who` is '' for chance
  explain(preview: Preview, view: V): Fact[]; // what a legal move does
  refusalWords: RefusalWords; // how refusals name its pieces and places
  plyFacts(plies: readonly Ply[], names: string[]): Fact[][]; // what each ply of a game did, beyond the sentence
  roundSummary?(effects: readonly Effect[], seats: number): RoundSummary | null; // null unless a round has ended
  instructions(view: V): string; // how to move, for first-time players; '' if the board says it itself
  progress(view: V): string; // how far the game is
  scores(view: V): number[]; // of all seats
  viewer(view: V): number | null; // whose view it is: null if everything is open, negative for a spectator's
  hasRounds: boolean; // whether each deal begins a round
  frames(before: V, effects: readonly Effect[], after: V): Frame[]; // the end of a round; none if no round ended
}

const files = import.meta.glob<Record<GameName, GamePlay<View>>>('./*/play.ts', { eager: true, import: 'default' });
export const PLAYS = new Map(Object.values(files).flatMap((games) => Object.entries(games)));

export const playOf = (game: GameName): GamePlay<View> => PLAYS.get(game) ?? unknownGame;
