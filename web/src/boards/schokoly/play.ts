// Schokoly for the pages that show a game.
import { t } from '../../lib/i18n.svelte';
import type { GamePlay } from '../play';
import { describeMove, explain, plyFacts } from './describe';
import { refusalWords } from './refusals';
import Board from './SchokolyBoard.svelte';
import { textGame } from './text/textGame';
import { MOVE_PARTS, type SchokolyView } from './wire';

const schokoly: GamePlay<SchokolyView> = {
  Board,
  moveParts: MOVE_PARTS,
  text: textGame,
  describeMove,
  explain,
  refusalWords,
  plyFacts,
  instructions: () => '',
  progress: ({ left }) => t('play.cards-left', { n: left }),
  scores: ({ points }) => points,
  viewer: ({ viewer }) => viewer,
  hasRounds: false,
  frames: () => [],
};

export default { schokoly };
