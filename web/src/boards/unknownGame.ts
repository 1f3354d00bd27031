// Stands in for a game of the server that the web client does not know: a message instead of the board, and moves in
// notation.
import { textOf } from '../lib/moves';
import type { View } from '../lib/types';
import type { GamePlay } from './play';
import UnknownGame from './UnknownGame.svelte';

export const unknownGame: GamePlay<View> = {
  Board: UnknownGame,
  moveParts: {},
  describeMove: (move, who) => (who ? `${who}: ${textOf(move)}` : textOf(move)),
  explain: () => [],
  refusalWords: {},
  plyFacts: (plies) => plies.map(() => []),
  instructions: () => '',
  progress: () => '',
  scores: () => [],
  viewer: () => null,
  hasRounds: false,
  frames: () => [],
};
