// Moves and their effects in words; every game has its own texts.
import type { GameName, Preview, View } from '../lib/types';
import { playOf } from './play';
import type { Fact } from './types';

// A whole sentence, such as "Ann takes blue from factory 4 to line 1." For chance, `who` is ''. `names`
// are those of all seats, for moves that involve another player.
export function describeMove(game: GameName, move: string, who: string, names: string[]): string {
  return playOf(game).describeMove(move, who, names);
}

// What a move does, or why it is illegal, in short sentences.
export function explain(game: GameName, preview: Preview, view: View): Fact[] {
  return playOf(game).explain(preview, view);
}
