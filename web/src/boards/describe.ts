// Moves and their effects in words; every game has its own texts.
import { errorText } from '../lib/errors';
import { refusalText, type Refusal } from '../lib/refusals';
import type { GameName, Move, Preview, View } from '../lib/types';
import { playOf } from './play';
import type { Fact } from './types';

// A whole sentence, such as "Ann takes blue from factory 4 to line 1." For chance, `who` is ''. `names`
// are those of all seats, for moves that involve another player.
export function describeMove(game: GameName, move: Move, who: string, names: string[]): string {
  return playOf(game).describeMove(move, who, names);
}

// What a move does, or why it is illegal, in short sentences.
export function explain(game: GameName, preview: Preview, view: View): Fact[] {
  if (preview.error) return [{ tone: 'bad', text: refusalIn(game, preview.error) }];
  return playOf(game).explain(preview, view);
}

// Why something was refused in a game; '' if the game is not known.
export const refusalIn = (game: GameName, error: Refusal): string =>
  refusalText(error, game, playOf(game).refusalWords);

// Why a request or a command about a game failed.
export const errorIn = (game: GameName, problem: unknown): string =>
  errorText(problem, game, playOf(game).refusalWords);
