// Who is who at a table.
import { botName } from '../pages/describe';
import { t } from '../lib/words.svelte';
import type { Seat, State } from '../lib/types';

export function seatName(seat: Seat, number: number): string {
  if (seat.kind === 'open') return t('play.seat-open');
  if (seat.kind === 'bot' && seat.name === seat.bot) return botName(seat.bot);
  return seat.name || t('play.seat', { n: number + 1 });
}

// Two bots of one level are told apart by their seats.
export function namesOf(seats: Seat[]): string[] {
  const names = seats.map(seatName);
  return names.map((name, at) => (names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${at + 1})`));
}

// Several names in a row, as the language joins them.
export function joined(names: string[], language: string): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(names);
}

export function people(state: State): number[] {
  return state.seats.flatMap((seat, at) => (seat.kind === 'person' ? [at] : []));
}

// Whether everybody else here is a bot: then there are hints.
export function againstBots(state: State): boolean {
  return state.you.length === 1 && people(state).every((seat) => state.you.includes(seat));
}
