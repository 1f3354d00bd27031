// Both Azul editions for the pages that show a game.
import { t } from '../../lib/i18n.svelte';
import type { GameName } from '../../lib/types';
import type { GamePlay } from '../play';
import Board from './AzulBoard.svelte';
import { describeMove, explain, plyFacts } from './describe';
import { azulFrames, roundSummary } from './frames';
import { refusalWords } from './refusals';
import { textGame } from './text/textGame';
import { MOVE_PARTS, type AzulView } from './wire';

const edition = (game: GameName): GamePlay<AzulView> => ({
  Board,
  moveParts: MOVE_PARTS,
  text: textGame(game),
  describeMove: (move, who) => describeMove(game, move, who),
  explain: (preview) => explain(game, preview),
  refusalWords: refusalWords(game),
  plyFacts: (plies) => plyFacts(game, plies),
  roundSummary: (effects, seats) => roundSummary(game, effects, seats),
  instructions: ({ phase }) => (phase === 'tiling' ? t('play.how.column') : t(`play.how.${game}`)),
  progress: ({ round }) => t('play.round', { n: round }),
  scores: ({ boards }) => boards.map((board) => board.score),
  viewer: () => null,
  hasRounds: true,
  frames: (before, effects, after) => azulFrames(before, effects, after, game),
});

export default { azul: edition('azul'), chocolatier: edition('chocolatier') };
