// Stands in for a game of the server that the web client does not know: a message instead of the board, and moves in
// notation.
import type { View } from '../lib/types';
import type { GamePlay } from './play';
import UnknownGame from './UnknownGame.svelte';

export const unknownGame: GamePlay<View> = {
  Board: UnknownGame,
  describeMove: (move, who) => (who ? `${who}: ${move}` : move),
  explain: ({ error }) => (error ? [{ tone: 'bad', text: error.text }] : []),
  instructions: () => '',
  progress: () => '',
  scores: () => [],
  viewer: () => null,
  hasRounds: false,
  endsRound: () => false,
  frames: () => [],
};
