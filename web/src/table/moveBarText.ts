// The texts of the bar below the board.
import { describeMove } from '../boards/describe';
import { playOf } from '../boards/play';
import { findMove, textOf } from '../lib/moves';
import type { State } from '../lib/types';
import type { Fact } from '../boards/types';
import { formatNumber, t } from '../lib/i18n.svelte';
import type { TableController } from './controller.svelte';
import { endReason } from '../lib/labels';

const toneOf = (points: number): Fact['tone'] => (points > 0 ? 'good' : points < 0 ? 'bad' : 'plain');
const plain = (text: string): Fact[] => (text ? [{ tone: 'plain', text }] : []);
const named = (controller: TableController, seat: number | null) => controller.names[seat ?? 0] ?? '';

// The newest move that the board shows.
function lastMoveText(controller: TableController, table: State): string {
  const last = controller.scene?.last;
  return last ? describeMove(table.game, last.move, named(controller, last.seat), controller.names) : '';
}

// Whether the user is about to make one of the first two moves.
const isBeginning = (controller: TableController, table: State) =>
  controller.moves.length > 0 &&
  controller.connection.history.filter(({ actor }) => table.you.includes(actor)).length < 2;

const instructions = ({ game, position }: State) => (position ? playOf(game).instructions(position) : '');

function ending(controller: TableController, table: State): string {
  const stop = /[!.]$/.test(controller.resultText) ? '' : '.';
  return `${controller.resultText}${stop} ${endReason(table.result?.ended_by ?? '')}`;
}

export function moveBarHeadline(controller: TableController, table: State, slow: boolean): string {
  const { pendingMove, playback } = controller;
  const { frame } = playback;
  const who = named(controller, controller.scene?.state.actor ?? table.actor);
  if (controller.covered) return '';
  if (frame) return frame.seat === null ? frame.text || t('play.tiling') : named(controller, frame.seat);
  if (slow) return t('play.sending');
  if (controller.preview?.error) return t('play.not-possible');
  const described = controller.preview?.move ?? findMove(table.moves ?? [], pendingMove.move);
  if (described) return describeMove(table.game, described, who, controller.names);
  if (!playback.current) return lastMoveText(controller, table);
  if (table.status === 'over') return ending(controller, table);
  const suggested = findMove(table.moves ?? [], controller.pointed);
  if (suggested) return describeMove(table.game, suggested, who, controller.names);
  if (!controller.moves.length) return t('play.waits', { who });
  return controller.shared ? t('play.turn-of', { who }) : t('play.your-turn');
}

export function moveBarFacts(controller: TableController, table: State): Fact[] {
  const { frame } = controller.playback;
  if (controller.covered) return [];
  if (frame) return frame.seat === null ? [] : [{ tone: toneOf(frame.points ?? 0), text: frame.text }];
  if (controller.previews.move !== null || controller.pendingMove.move !== null) return controller.facts;
  if (!controller.playback.current || table.status === 'over') return [];
  const best = controller.hint?.variations.find(({ moves: [move] }) => move && textOf(move) === controller.pointed);
  if (best) return plain(t('play.hint-short', { win: formatNumber(best.win * 100) }));
  // During the user's first two moves, show how to move; later, what the others have done is more useful.
  return plain(
    (!isBeginning(controller, table) && lastMoveText(controller, table)) ||
      (controller.moves.length ? instructions(table) : ''),
  );
}
