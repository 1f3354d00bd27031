// Telling somebody that it is their turn: a sound, and a notification where the page is out of sight.
import { settings } from '../lib/settings.svelte';
import { sound } from '../lib/sound';
import { gameTitle } from '../pages/describe';
import type { State } from '../lib/types';
import { t } from '../lib/words.svelte';
import { say } from './saying';

export function myTurn(state: State | null): boolean {
  return !!state && state.status === 'playing' && state.actor !== null && state.moves !== undefined;
}

export function ring(state: State, before: State | null, names: string[]): void {
  if (!myTurn(state) || before?.step === state.step || (myTurn(before) && before?.actor === state.actor)) return;
  const text = state.you.length > 1 ? t('play.turn-of', { who: names[state.actor ?? 0] ?? '' }) : t('play.your-turn');
  say(text);
  sound('turn');
  if (document.hidden && settings.notify) void notify(text, state);
}

async function notify(text: string, state: State): Promise<void> {
  if (typeof Notification !== 'function' || Notification.permission !== 'granted') return;
  const options = { body: gameTitle(state.game), tag: state.table, icon: '/icon.svg' };
  try {
    // phones show notifications of a service worker only
    const worker = await navigator.serviceWorker?.getRegistration();
    if (worker) await worker.showNotification(text, options);
    else new Notification(text, options).onclick = () => window.focus();
  } catch {
    // not here, then
  }
}

// What the tab says: whose turn it is comes first.
export function titleOf(state: State | null, names: string[]): string {
  if (!state) return 'Tilery';
  const rest = [gameTitle(state.game), 'Tilery'];
  if (state.status === 'over') return [t('play.over'), ...rest].join(' · ');
  if (state.status !== 'playing' || state.actor === null) return rest.join(' · ');
  const own = myTurn(state) && state.you.length === 1;
  return [own ? t('play.your-turn') : t('play.turn-of', { who: names[state.actor] ?? '' }), ...rest].join(' · ');
}
