// The boards and the words of all games, from the file `play.ts` in the folder of each.
import type { Component } from 'svelte';
import type { Effect, GameName, Ply, Preview, View } from '../lib/types';
import type { TextGame } from './text/types';
import type { BoardProps, Fact, Frame } from './types';
import { unknownGame } from './unknownGame';

export interface GamePlay<V> {
  Board: Component<BoardProps<V>>;
  text?: TextGame<V>; // for the text board
  describeMove(move: string, who: string, names: string[]): string; // a sentence; `who` is '' for chance
  explain(preview: Preview, view: V): Fact[]; // what a move does, or why it is illegal
  instructions(view: V): string; // how to move, for first-time players; '' if the board says it itself
  progress(view: V): string; // how far the game is
  scores(view: V): number[]; // of all seats
  viewer(view: V): number | null; // whose view it is: null if everything is open, negative for a spectator's
  hasRounds: boolean; // whether each deal begins a round
  endsRound(before: V, after: V): boolean; // whether there are frames to show between two positions
  frames(before: V, effects: Effect[], after: V): Frame[]; // the end of a round, if it ended
  spectatorHistory?(history: readonly Ply[]): Ply[]; // without what a spectator may not see; for hidden information
}

const files = import.meta.glob<Record<GameName, GamePlay<View>>>('./*/play.ts', { eager: true, import: 'default' });
export const PLAYS = new Map(Object.values(files).flatMap((games) => Object.entries(games)));

export const playOf = (game: GameName): GamePlay<View> => PLAYS.get(game) ?? unknownGame;
