// Announcements and notices for the events of a table.
import { describeMove } from '../boards/describe';
import { announceSoon, showNotice } from '../lib/announcements.svelte';
import { settings } from '../lib/settings.svelte';
import { sound } from '../lib/sound';
import { botName, gameTitle } from '../lib/labels';
import { playedSeats } from '../lib/playedSeats';
import type { State, TableEvent } from '../lib/types';
import { t } from '../lib/i18n.svelte';

const NARROW = 1000; // pixels: on narrower screens the chat may be hidden, so chat messages are shown as notices

export function announceEvents(events: TableEvent[], state: State, names: string[]): void {
  for (const event of events) announceEvent(event, state, names);
}

function announceEvent(event: TableEvent, state: State, names: string[]): void {
  const seat = 'seat' in event ? event.seat : 'seats' in event ? event.seats[0] : event.who?.[0];
  const who = names[seat ?? 0] ?? '';
  const mine = (event.who ?? []).some((seat) => state.you.includes(seat));
  switch (event.type) {
    case 'played':
      if (event.plies[0]) announceSoon(describeMove(state.game, event.plies[0].move, who, names));
      break;
    case 'said':
      if (!settings.chat || mine) break;
      sound('chat');
      if (innerWidth < NARROW) showNotice(t('play.said', { who, text: event.text }));
      else announceSoon(t('play.said', { who, text: event.text }));
      break;
    case 'sat':
      if (!mine) showNotice(t('play.sat', { who: event.name || who }), 'good');
      break;
    case 'left':
      if (!mine) showNotice(t('play.left', { who }));
      break;
    case 'returned':
      if (!mine) showNotice(t('play.returned', { who }));
      break;
    case 'replaced':
      showNotice(t('play.replaced', { who, bot: botName(event.bot) }));
      break;
    case 'resigned':
      showNotice(event.why === 'time' ? t('play.lost-on-time', { who }) : t('play.has-resigned', { who }));
      break;
    case 'declined':
      if (!mine) showNotice(t('play.was-declined', { who: names[event.who?.[0] ?? 0] ?? '' }));
      break;
    case 'taken-back':
      showNotice(t('play.was-taken-back'));
      break;
    case 'started':
      announceSoon(t('play.began'));
      break;
  }
}

// Notify the user that it is their turn: a sound, and a notification if the page is hidden.

export function myTurn(state: State | null): boolean {
  return !!state && state.status === 'playing' && state.actor !== null && !!state.moves?.length;
}

export function notifyTurn(state: State, before: State | null, names: string[]): void {
  if (!myTurn(state) || before?.step === state.step || (myTurn(before) && before?.actor === state.actor)) return;
  const text =
    playedSeats(state).length > 1 ? t('play.turn-of', { who: names[state.actor ?? 0] ?? '' }) : t('play.your-turn');
  announceSoon(text);
  sound('turn');
  if (document.hidden && settings.notify) void notify(text, state);
}

async function notify(text: string, state: State): Promise<void> {
  if (typeof Notification !== 'function' || Notification.permission !== 'granted') return;
  const options = { body: gameTitle(state.game), tag: state.table, icon: '/icon.svg' };
  try {
    // phones show only notifications of a service worker
    const worker = await navigator.serviceWorker?.getRegistration();
    if (worker) await worker.showNotification(text, options);
    else new Notification(text, options).onclick = () => window.focus();
  } catch {
    // notifications are not available
  }
}

// The title of the tab; it begins with whose turn it is.
export function documentTitle(state: State | null, names: string[]): string {
  if (!state) return 'Tilery';
  const rest = [gameTitle(state.game), 'Tilery'];
  if (state.status === 'over') return [t('play.over'), ...rest].join(' · ');
  if (state.status !== 'playing' || state.actor === null) return rest.join(' · ');
  const own = myTurn(state) && playedSeats(state).length === 1;
  return [own ? t('play.your-turn') : t('play.turn-of', { who: names[state.actor] ?? '' }), ...rest].join(' · ');
}
