// The names of the players at a table.
import { botName, isolated } from '../lib/labels';
import { t } from '../lib/i18n.svelte';
import { playedSeats } from '../lib/playedSeats';
import type { Seat, State } from '../lib/types';

export function seatName(seat: Seat, number: number): string {
  if (seat.kind === 'open') return t('play.seat-open');
  if (seat.kind === 'bot' && seat.name === seat.bot) return botName(seat.bot);
  return isolated(seat.name) || t('play.seat', { n: number + 1 });
}

// Two bots of the same level are distinguished by their seats.
export function namesOf(seats: Seat[]): string[] {
  const names = seats.map(seatName);
  return names.map((name, at) => (names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${at + 1})`));
}

// Several names, joined as usual in the language.
export function joinNames(names: string[], language: string): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(names);
}

export function people(state: State): number[] {
  return state.seats.flatMap((seat, at) => (seat.kind === 'person' ? [at] : []));
}

// Whether everybody else is a bot: then hints are allowed.
export function againstBots(state: State): boolean {
  const mine = playedSeats(state);
  return mine.length === 1 && people(state).every((seat) => mine.includes(seat));
}
