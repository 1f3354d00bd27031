// Moves and their effects in words; every game has its own texts.
import type { AzulView, GameName, Preview, SchokolyView, View } from '../lib/types';
import type { Fact } from './types';
import * as azul from './azul/describe';
import * as schokoly from './schokoly/describe';

// A whole sentence, such as "Ann takes blue from factory 4 to line 1." For chance, `who` is ''. `names`
// are those of all seats, for moves that involve another player.
export function describeMove(game: GameName, move: string, who: string, names: string[]): string {
  return game === 'schokoly' ? schokoly.describeMove(game, move, who, names) : azul.describeMove(game, move, who);
}

// What a move does, or why it is illegal, in short sentences.
export function explain(game: GameName, preview: Preview, view: View): Fact[] {
  return game === 'schokoly'
    ? schokoly.explain(game, preview, view as SchokolyView)
    : azul.explain(game, preview, view as AzulView);
}
