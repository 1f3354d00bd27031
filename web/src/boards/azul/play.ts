// Both Azul editions for the pages that show a game.
import { t } from '../../lib/i18n.svelte';
import type { GameName } from '../../lib/types';
import type { GamePlay } from '../play';
import Board from './AzulBoard.svelte';
import { describeMove, explain } from './describe';
import type { AzulEffect } from './effects';
import { azulFrames } from './frames';
import { textGame } from './text/textGame';
import type { AzulView } from './view';

const edition = (game: GameName): GamePlay<AzulView> => ({
  Board,
  text: textGame(game),
  describeMove: (move, who) => describeMove(game, move, who),
  explain: (preview, view) => explain(game, preview, view),
  instructions: ({ phase }) => (phase === 'tiling' ? t('play.how.column') : t(`play.how.${game}`)),
  progress: ({ round }) => t('play.round', { n: round }),
  scores: ({ boards }) => boards.map((board) => board.score),
  viewer: () => null,
  hasRounds: true,
  endsRound: (before, after) => before.round !== after.round || before.phase !== 'offer' || after.phase !== 'offer',
  frames: (before, effects, after) => azulFrames(before, effects as AzulEffect[], after, game),
});

export default { azul: edition('azul'), chocolatier: edition('chocolatier') };
