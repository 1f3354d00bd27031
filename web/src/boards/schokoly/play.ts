// Schokoly for the pages that show a game.
import { t } from '../../lib/i18n.svelte';
import type { GamePlay } from '../play';
import { describeMove, explain } from './describe';
import Board from './SchokolyBoard.svelte';
import { spectatorHistory } from './spectatorHistory';
import { textGame } from './text/textGame';
import type { SchokolyView } from './view';

const schokoly: GamePlay<SchokolyView> = {
  Board,
  text: textGame,
  describeMove,
  explain,
  instructions: () => '',
  progress: ({ left }) => t('play.cards-left', { n: left }),
  scores: ({ points }) => points,
  viewer: ({ viewer }) => viewer,
  hasRounds: false,
  endsRound: () => false,
  frames: () => [],
  spectatorHistory,
};

export default { schokoly };
