// What is said to screen readers and shown as notices when something happens at a table.
import { moveWords } from '../boards/words';
import { notice } from '../lib/announce.svelte';
import { settings } from '../lib/settings.svelte';
import { sound } from '../lib/sound';
import { botName } from '../pages/describe';
import type { State, TableEvent } from '../lib/types';
import { t } from '../lib/words.svelte';
import { say } from './saying';

const NARROW = 1000; // pixels: below that the chat may be out of sight, so that a line of it is shown as a notice

export function heard(events: TableEvent[], state: State, names: string[]): void {
  for (const event of events) hear(event, state, names);
}

function hear(event: TableEvent, state: State, names: string[]): void {
  const who = names[event.seat ?? event.seats?.[0] ?? event.who?.[0] ?? 0] ?? '';
  const mine = (event.who ?? []).some((seat) => state.you.includes(seat));
  switch (event.type) {
    case 'played':
      say(moveWords(state.game, event.move ?? '', who, names));
      break;
    case 'said':
      if (!settings.chat || mine) break;
      sound('chat');
      if (innerWidth < NARROW) notice(t('play.said', { who, text: event.text ?? '' }));
      else say(t('play.said', { who, text: event.text ?? '' }));
      break;
    case 'sat':
      if (!mine) notice(t('play.sat', { who: event.name ?? who }), 'good');
      break;
    case 'left':
      if (!mine) notice(t('play.left', { who }));
      break;
    case 'returned':
      if (!mine) notice(t('play.returned', { who }));
      break;
    case 'replaced':
      notice(t('play.replaced', { who, bot: botName(event.bot ?? '') }));
      break;
    case 'resigned':
      notice(event.why === 'time' ? t('play.lost-on-time', { who }) : t('play.has-resigned', { who }));
      break;
    case 'declined':
      if (!mine) notice(t('play.was-declined', { who: names[event.who?.[0] ?? 0] ?? '' }));
      break;
    case 'taken-back':
      notice(t('play.was-taken-back'));
      break;
    case 'started':
      say(t('play.began'));
      break;
  }
}
