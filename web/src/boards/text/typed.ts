// Moves that are typed: small letters, blanks and missing signs are fine.
import type { GameName } from '../../lib/types';

function plain(game: GameName, text: string): string {
  const low = text.toLowerCase().trim();
  if (game !== 'schokoly')
    return low
      .replace(/\s+/g, '')
      .replace(/^0/, 'c')
      .replace(/[^a-z0-9<>:]/g, '');
  return low
    .replace(/\^|\bup\b/g, ' up')
    .replace(/[^a-z0-9-]+/g, ' ')
    .trim();
}

// The legal moves that begin with what was typed; the one that is exactly this comes first.
export function fitting(game: GameName, moves: string[], typed: string): string[] {
  const wanted = plain(game, typed);
  if (!wanted) return [];
  const written = moves.map((move) => ({ move, text: plain(game, move) }));
  const found = written.filter(({ text }) => text.startsWith(wanted));
  return found.sort((a, b) => Number(b.text === wanted) - Number(a.text === wanted)).map(({ move }) => move);
}

// The move that is meant: the only one that fits, or the one that is written exactly like this.
export function meant(game: GameName, moves: string[], typed: string): string | null {
  const found = fitting(game, moves, typed);
  const first = found[0];
  if (first === undefined) return null;
  return found.length === 1 || plain(game, first) === plain(game, typed) ? first : null;
}
