// What moves are and do, in words: each game has its own way to say it.
import type { AzulView, Fact, GameName, Preview, SchokolyView, View } from '../lib/types';
import * as azul from './azul/words';
import * as schokoly from './schokoly/words';

// A whole sentence, such as "Ann takes blue from factory 4 to line 1." Chance has no name: who is ''. `names` are those
// of all seats, for a move that has to do with somebody else.
export function moveWords(game: GameName, move: string, who: string, names: string[]): string {
  return game === 'schokoly' ? schokoly.moveWords(game, move, who, names) : azul.moveWords(game, move, who);
}

// What a move does, or why it cannot be made, in short lines.
export function explain(game: GameName, preview: Preview, view: View): Fact[] {
  return game === 'schokoly'
    ? schokoly.explain(game, preview, view as SchokolyView)
    : azul.explain(game, preview, view as AzulView);
}
