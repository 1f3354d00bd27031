// The two editions have the same rules; tiles, names, colours and ornaments differ. As in the library
// (src/tilery/games/azul/edition.py), the table below is the only place that knows which tiles an edition has.
import type { GameName } from '../../lib/types';
import type { Edition } from '../../ui/pieces/art';

export const editionOf = (game: GameName): Edition => (game === 'chocolatier' ? 'chocolate' : 'ceramic');

// The colours by letter, in the order of the game. Their paints are in paints.css and ui/pieces/art.ts, by letter; the
// texts have their names.
const COLOURS: Record<Edition, Record<string, string>> = {
  ceramic: { B: 'blue', Y: 'yellow', R: 'red', K: 'black', W: 'white' },
  chocolate: { B: 'blue', N: 'brown', W: 'white', K: 'black', R: 'ruby' },
};
const LETTERS: Record<Edition, string[]> = {
  ceramic: Object.keys(COLOURS.ceramic),
  chocolate: Object.keys(COLOURS.chocolate),
};

export const lettersOf = (game: GameName): string[] => LETTERS[editionOf(game)];

// The name of a colour in the keys of the texts.
export const colourName = (game: GameName, letter: string): string => COLOURS[editionOf(game)][letter] ?? letter;

// The name of a kind of disc in the keys of the texts: "magnetR" is "magnet-red" or "magnet-ruby".
export function discName(game: GameName, kind: string): string {
  return kind.startsWith('magnet') ? `magnet-${colourName(game, kind.slice(-1))}` : kind;
}

// What a disc does is the same for all magnets.
export const discPower = (kind: string): string => (kind.startsWith('magnet') ? 'magnet' : kind);

export function inOrder(game: GameName, tiles: string): string {
  const letters = lettersOf(game);
  return [...tiles].sort((a, b) => letters.indexOf(a) - letters.indexOf(b)).join('');
}

// A tile of Azul as the edition has it on the same cells of the wall; printed cells are in lower case.
export function inEdition(game: GameName, letter: string): string {
  const other = lettersOf(game)[LETTERS.ceramic.indexOf(letter.toUpperCase())] ?? letter;
  return letter === letter.toLowerCase() ? other.toLowerCase() : other;
}
