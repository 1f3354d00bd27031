// Games, clocks, bots, endings and score items in words.
import type { ClockSetting, GameName, ScoreItem } from './types';
import { formatNumber, hasTranslation, t } from './i18n.svelte';

// A game without a translated title is called by its name.
export const gameTitle = (game: GameName) => (hasTranslation(`page.game.${game}`) ? t(`page.game.${game}`) : game);

export function clockLabel(clock: ClockSetting | null): string {
  if (!clock) return t('page.clock.none');
  if (clock.days) return t('page.days', { n: clock.days });
  return `${formatNumber((clock.base ?? 0) / 60, (clock.base ?? 0) % 60 ? 1 : 0)}+${clock.increment ?? 0}`;
}

// The display name of a bot: "level-3" is "Level 3", "tilery@500ms" stays as it is.
export function botName(bot: string): string {
  const level = /^level-(\d+)$/.exec(bot)?.[1];
  if (level) return t('page.level', { n: Number(level) });
  return hasTranslation(`page.bot-name.${bot}`) ? t(`page.bot-name.${bot}`) : bot;
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

// A name that people have chosen, so that it does not reorder the text around it: FSI and PDI isolate it.
export const isolated = (name: string) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

export const playerName = (seat: { name: string; bot: string }) =>
  seat.bot && seat.name === seat.bot ? botName(seat.bot) : isolated(seat.name);

// The server's descriptions of its bots, and the keys of their translations.
const ABOUT: Record<string, string> = {
  'a random legal move': 'page.bot.any-move',
  'the best move by one ply': 'page.bot.at-once',
  'a tree search with random playouts': 'page.bot.anchor',
  'the strongest search for the variant and the limit': 'page.bot.strongest',
  'sees the points of its next tiling, and misses some': 'page.bot.next-tiling-some',
  'sees the points of its next tiling': 'page.bot.next-tiling',
  'sees the floor line too': 'page.bot.floor',
  'has some plan on its own board': 'page.bot.some-plan',
  'plans on its own board, very loosely': 'page.bot.plan-very-loose',
  'plans on its own board, loosely': 'page.bot.plan-loose',
  'plans on its own board': 'page.bot.plan',
  'plans on its own board with care': 'page.bot.plan-careful',
  'plans on its own board, strictly': 'page.bot.plan-strict',
  'looks at some replies': 'page.bot.answers',
  'looks one move ahead': 'page.bot.move-ahead',
  'looks some moves ahead': 'page.bot.moves-ahead',
  'thinks a little': 'page.bot.thinks-little',
  thinks: 'page.bot.thinks',
  'thinks longer': 'page.bot.thinks-longer',
  'thinks hard': 'page.bot.thinks-hard',
  'thinks ahead': 'page.bot.thinks-ahead',
  'full strength': 'page.bot.full',
  'sees its own points, and often takes less': 'page.bot.own-often-less',
  'sees its own points, and sometimes takes less': 'page.bot.own-rarely-less',
  'sees its own points, and misses some': 'page.bot.own-some',
  'sees the points of all seats, and misses some': 'page.bot.all-some',
  'sees the points of all seats': 'page.bot.all',
  'saves its tokens for when they count': 'page.bot.tokens',
  'sees contacts and threatening cuts': 'page.bot.contacts',
  'sees threatening cuts, and saves its tokens': 'page.bot.cuts-tokens',
  'has an idea of what a position is worth': 'page.bot.worth-idea',
  'knows roughly what a position is worth': 'page.bot.worth-roughly',
  'knows what a position is worth': 'page.bot.worth',
};

export function botDescription(about: string): string {
  const key = ABOUT[about];
  return key ? t(key) : about;
}

// How a game ended.
export function endReason(code: string): string {
  return hasTranslation(`play.ended.${code}`) ? t(`play.ended.${code}`) : code;
}

const withMinusSign = (value: number | string | null | undefined): string => String(value ?? '').replace('-', '−');

// What points are for. The words of a game for its own score items come first.
export function scoreItemLabel(game: GameName, { code, arguments: { x, y } = {} }: ScoreItem): string {
  const keys = [`replay.count.${code}.${game}`, `replay.count.${code}`];
  const key = keys.find(hasTranslation);
  return key ? t(key, { column: withMinusSign(x), row: withMinusSign(y) }) : code;
}
