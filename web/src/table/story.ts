// How a round of Azul ends, step by step, out of what the server tells about the move that ended it.
import * as api from '../lib/api';
import { azulFrames } from '../boards/azul/words';
import type { AzulView, Frame, State } from '../lib/types';

// Null where there is nothing to tell: a story is asked for only where the offer was or is over.
export function storyOf(
  table: string,
  before: State,
  after: State,
  made: { seat: number; move: string; ply: number },
): Promise<Frame[]> | null {
  if (after.game === 'schokoly') return null;
  const [then, now] = [before.position as AzulView | null, after.position as AzulView | null];
  if (!then || !now || (then.round === now.round && then.phase === 'offer' && now.phase === 'offer')) return null;
  return api
    .effects(table, made.ply)
    .then(({ effects }) =>
      effects.tiling?.length ? azulFrames(then, made.move, made.seat, effects, now, after.game) : [],
    );
}
