// What the log of a shared screen shows.
import type { Ply } from '../../lib/types';
import { parseMove } from './moves';

// A history as a spectator sees it. People who share a screen share a log, which must not reveal the cards of one to
// the other: of a swap, only the announced numbers stay.
export function spectatorHistory(history: readonly Ply[]): Ply[] {
  const kinds = new Map<number, string>();
  let asker = -1;
  return history.map(([seat, move]): Ply => {
    const [word = '', rest = ''] = move.split(':');
    if (seat < 0) return [seat, move.startsWith('+') ? '+?' : move];
    const parsed = parseMove(move);
    if (parsed.what === 'kind') kinds.set(seat, parsed.kind);
    const count = (card: string, of: number) =>
      card.startsWith('?') ? card : `?${card.split(kinds.get(of) ?? '!').length - 1}`;
    if (word === 'offer') {
      const [card = '', to = ''] = rest.split('>');
      asker = seat;
      return [seat, `offer:${count(card, Number(to) - 1)}>${to}`];
    }
    if (word === 'answer') return [seat, `answer:${count(rest, asker)}`];
    return [seat, word === 'accept' ? 'accept' : move];
  });
}
