// What the bar under the board says.
import { moveWords } from '../boards/words';
import type { AzulView, Fact, State } from '../lib/types';
import { number, t } from '../lib/words.svelte';
import type { Desk } from './desk.svelte';
import { endedBy } from './ending';

const toneOf = (points: number): Fact['tone'] => (points > 0 ? 'good' : points < 0 ? 'bad' : 'plain');
const plain = (text: string): Fact[] => (text ? [{ tone: 'plain', text }] : []);
const named = (desk: Desk, seat: number | null) => desk.names[seat ?? 0] ?? '';

// The move that the board shows as the newest one.
function made(desk: Desk, table: State): string {
  const last = desk.scene?.last;
  return last ? moveWords(table.game, last.move, named(desk, last.seat), desk.names) : '';
}

const isNew = (desk: Desk, table: State) =>
  desk.moves.length > 0 && desk.link.history.filter(([seat]) => table.you.includes(seat)).length < 2;

// What is to be done, for who plays for the first time. Schokoly's board says it by itself.
function how(table: State): string {
  if (table.game === 'schokoly') return '';
  return (table.position as AzulView).phase === 'tiling' ? t('play.how.column') : t(`play.how.${table.game}`);
}

function ending(desk: Desk, table: State): string {
  const stop = /[!.]$/.test(desk.ending) ? '' : '.';
  return `${desk.ending}${stop} ${endedBy(table.result?.ended_by ?? '')}`;
}

export function leadOf(desk: Desk, table: State, slow: boolean): string {
  const { choice, playback } = desk;
  const { frame } = playback;
  const who = named(desk, desk.scene?.state.actor ?? table.actor);
  if (desk.covered) return '';
  if (frame) return frame.seat === null ? frame.text || t('play.tiling') : named(desk, frame.seat);
  if (slow) return t('play.sending');
  const told = desk.preview ? (desk.looking.move ?? choice.move) : choice.move;
  if (told !== null) return moveWords(table.game, told, who, desk.names);
  if (!playback.current) return made(desk, table);
  if (table.status === 'over') return ending(desk, table);
  if (desk.pointed !== null) return moveWords(table.game, desk.pointed, who, desk.names);
  if (!desk.moves.length) return t('play.waits', { who });
  return desk.shared ? t('play.turn-of', { who }) : t('play.your-turn');
}

export function factsOf(desk: Desk, table: State): Fact[] {
  const { frame } = desk.playback;
  if (desk.covered) return [];
  if (frame) return frame.seat === null ? [] : [{ tone: toneOf(frame.points ?? 0), text: frame.text }];
  if (desk.looking.move !== null || desk.choice.move !== null) return desk.facts;
  if (!desk.playback.current || table.status === 'over') return [];
  const best = desk.hint?.lines.find((line) => line.move === desk.pointed);
  if (best) return plain(t('play.hint-short', { win: number(best.win * 100) }));
  // Whoever has not moved yet is told how; later on it is worth more what the others have done.
  return plain((!isNew(desk, table) && made(desk, table)) || (desk.moves.length ? how(table) : ''));
}
