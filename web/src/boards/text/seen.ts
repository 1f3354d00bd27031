// What can be seen at once in any view.
import type { GameName, SchokolyView, View } from '../../lib/types';

// Who decides now: of an offered swap that is the partner. null: chance, or nobody any more.
export function actorOf(game: GameName, view: View): number | null {
  if (game !== 'schokoly') return view.phase === 'offer' || view.phase === 'tiling' ? view.seat : null;
  const { phase, seat, partner } = view as SchokolyView;
  if (phase === 'answer') return partner;
  return phase === 'deal' || phase === 'draw' || phase === 'over' ? null : seat;
}

// The seats in the order in which they are shown: the viewer first, then as the turn goes.
export function orderOf(seats: number, viewer: number | null): number[] {
  return Array.from({ length: seats }, (_, at) => (at + (viewer ?? 0)) % seats);
}
