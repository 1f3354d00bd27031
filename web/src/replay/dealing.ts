// Chance on a board for trying things out: one of the deals that are possible, as often as it would come.
import type { AzulView, GameName, SchokolyView, View } from '../lib/types';

const CARDS = 'DDDM DDDW MMMD MMMW WWWD WWWM DDMM DDWW MMWW DDMW MMWD WWDM'.split(' ');

// In how many ways so many can be taken out of so many.
function ways(all: number, taken: number): number {
  let count = 1;
  for (let i = 0; i < taken; i += 1) count *= (all - i) / (i + 1);
  return count;
}

// How often a deal comes, compared with the others. Where the lid has to help out it is a guess.
export function odds(game: GameName, view: View, move: string): number {
  if (!move.startsWith('+')) return 1;
  const dealt = move.slice(1);
  if (game === 'schokoly') return (view as SchokolyView).stack?.[CARDS.indexOf(dealt)] ?? 1;
  const { bag, lid } = view as AzulView;
  const enough = bag.reduce((sum, count) => sum + count, 0) >= dealt.length;
  return [...'BYRKW'].reduce((product, colour, at) => {
    const count = enough ? bag[at]! : bag[at]! + lid[at]!;
    return product * ways(count, dealt.split(colour).length - 1);
  }, 1);
}

export function drawn(game: GameName, view: View, moves: string[], chance: number): string {
  const weights = moves.map((move) => Math.max(0, odds(game, view, move)));
  let left = chance * weights.reduce((sum, weight) => sum + weight, 0);
  const at = weights.findIndex((weight) => (left -= weight) < 0);
  return moves[at] ?? moves.at(-1)!;
}
