// The form for a new table, and the request it results in.
import { GAMES, gameOf, type Options } from '../boards/registry';
import * as api from '../lib/api';
import type { BotInfo, GameInfo, GameName, SeatPlan, TableRequest } from '../lib/types';
import { loadStored, saveStored } from '../lib/storage';

export type Mode = 'bot' | 'friends' | 'device';
export const MODES: Mode[] = ['bot', 'friends', 'device'];

export interface SeatChoice {
  kind: 'me' | 'open' | 'person' | 'bot';
  name: string;
  bot: string;
}

export const PRESETS = ['none', '3+2', '5+5', '10+10', 'own', 'days'] as const;

export interface TableForm {
  game: GameName;
  seats: SeatChoice[];
  options: Options; // of all games, so that nothing is lost by choosing another game
  clock: { preset: (typeof PRESETS)[number]; minutes: number; seconds: number; days: number };
  public: boolean;
}

const FIRST_BOT = 'level-3';

function fresh(mode: Mode): SeatChoice {
  if (mode === 'bot') return { kind: 'bot', name: '', bot: FIRST_BOT };
  return { kind: mode === 'friends' ? 'open' : 'person', name: '', bot: FIRST_BOT };
}

export function defaultForm(mode: Mode): TableForm {
  const mine: SeatChoice = { kind: mode === 'device' ? 'person' : 'me', name: '', bot: FIRST_BOT };
  return {
    game: GAMES[0]!.name,
    seats: [mine, fresh(mode)],
    options: Object.assign({}, ...GAMES.map((game) => game.options)),
    clock: { preset: 'none', minutes: 15, seconds: 10, days: 2 },
    public: false,
  };
}

// The stored form, as far as it is still valid.
export function restoreForm(mode: Mode, kept: Partial<TableForm> | undefined): TableForm {
  const usual = defaultForm(mode);
  const clock = { ...usual.clock, ...kept?.clock };
  const form = { ...usual, ...kept, options: { ...usual.options, ...kept?.options }, clock };
  if (!gameOf(form.game)) form.game = usual.game;
  if (!PRESETS.includes(form.clock.preset)) form.clock.preset = 'none';
  const me = form.seats.filter((seat) => seat.kind === 'me').length;
  const few = form.seats.length < 2 || form.seats.length > 4;
  if (few || me !== (mode === 'device' ? 0 : 1)) form.seats = usual.seats;
  return form;
}

// Change the number of seats: new ones are added at the end, and the user's seat stays.
export function resized(mode: Mode, seats: SeatChoice[], count: number): SeatChoice[] {
  const result = seats.slice(0, count);
  while (result.length < count) result.push(fresh(mode));
  const me = seats.find((seat) => seat.kind === 'me');
  if (me && !result.includes(me)) result[count - 1] = me;
  return result;
}

export function movedUp(seats: SeatChoice[], at: number): SeatChoice[] {
  const result = [...seats];
  result.splice(at - 1, 0, ...result.splice(at, 1));
  return result;
}

// A bot that plays this game: the same one, otherwise the highest level.
export function playableBot(bots: BotInfo[], wanted: string): string {
  if (bots.some((bot) => bot.name === wanted) || !bots.length) return wanted;
  const levels = bots.filter((bot) => bot.name.startsWith('level-'));
  return (levels.at(-1) ?? bots.at(-1)!).name;
}

export function botsOf(games: GameInfo[], game: GameName, seats: number): BotInfo[] {
  return games.find((one) => one.name === game)?.bots[String(seats)] ?? [];
}

// The options of the chosen game, in notation.
export function variantOf({ game, options, seats }: TableForm): string {
  return gameOf(game)?.variant(options, seats.length).join(',') ?? '';
}

const within = (value: number, least: number, most: number) =>
  Math.min(most, Math.max(least, Math.round(Number(value) || 0)));

export function clockOf({ preset, minutes, seconds, days }: TableForm['clock']): TableRequest['clock'] {
  if (preset === 'none') return null;
  if (preset === 'days') return { days: within(days, 1, 14) };
  if (preset === 'own') return { base: within(minutes * 60, 10, 10_800), increment: within(seconds, 0, 180) };
  const [base = 0, increment = 0] = preset.split('+').map(Number);
  return { base: base * 60, increment };
}

// `nameAt` returns the name of the player at a seat.
export function tableRequestOf(mode: Mode, form: TableForm, nameAt: (seat: number) => string): TableRequest {
  const seats = form.seats.map((seat, at): SeatPlan => {
    if (seat.kind === 'bot') return { kind: 'bot', bot: seat.bot };
    if (seat.kind === 'open') return { kind: 'open' };
    return { kind: 'me', name: nameAt(at) };
  });
  const isOpen = seats.some((seat) => seat.kind === 'open');
  return {
    game: form.game,
    variant: variantOf(form),
    seats,
    clock: clockOf(form.clock),
    public: mode === 'friends' && isOpen && form.public,
  };
}

// The form of the last new table for each way to play, and the last selected game.

const STORAGE_KEY = 'tilery.new';
type StoredForms = { game?: GameName } & Partial<Record<Mode, TableForm>>;

export function lastGame(): GameName {
  const { game } = loadStored<StoredForms>(STORAGE_KEY, {});
  return game && gameOf(game) ? game : GAMES[0]!.name;
}

export function saveLastGame(game: GameName): void {
  saveStored(STORAGE_KEY, { ...loadStored<StoredForms>(STORAGE_KEY, {}), game });
}

export function lastForm(mode: Mode): TableForm {
  return { ...restoreForm(mode, loadStored<StoredForms>(STORAGE_KEY, {})[mode]), game: lastGame() };
}

export function saveLastForm(mode: Mode, form: TableForm): void {
  saveStored(STORAGE_KEY, { ...loadStored<StoredForms>(STORAGE_KEY, {}), game: form.game, [mode]: form });
}

// Create a table. If no seat is open, start the game at once.

export async function createAndStartTable(request: TableRequest): Promise<string> {
  const { table } = await api.createTable(request);
  if (!request.seats.some((seat) => seat.kind === 'open'))
    try {
      const { step } = await api.table(table);
      await api.command(table, { type: 'start', id: api.randomHex(16), step, entropy: api.randomHex(32) });
    } catch {
      // the table exists, and its page has a button to start
    }
  return table;
}
