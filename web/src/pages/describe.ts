// Variants, clocks, bots and refusals in words.
import { Refused } from '../lib/api';
import type { GameName } from '../lib/types';
import { has, number, t } from '../lib/words.svelte';

export const gameTitle = (game: GameName) => t(`page.game.${game}`);

// "2,grey,specials=game,stall=10" in words; the stall limit that every table has is not worth a word.
export function variantWords(game: GameName, variant: string): string[] {
  const [seats = '2', ...options] = variant.split(',');
  const words = [t('page.players', { n: Number(seats) })];
  for (const option of options) {
    const [name = '', value = ''] = option.split('=');
    if (name === 'grey') words.push(t(game === 'chocolatier' ? 'page.wall.grey-box' : 'page.wall.grey'));
    else if (name === 'specials')
      words.push(t(game === 'chocolatier' ? 'page.special-plates' : 'page.special-factories'));
    else if (name === 'large') words.push(t('page.set.large'));
    else if (name === 'swap') words.push(t('page.swap'));
    else if (name === 'rounds') words.push(t('page.rounds', { n: Number(value) }));
  }
  return words;
}

export function clockWords(clock: { base?: number; increment?: number; days?: number } | null): string {
  if (!clock) return t('page.clock.none');
  if (clock.days) return t('page.days', { n: clock.days });
  return `${number((clock.base ?? 0) / 60, (clock.base ?? 0) % 60 ? 1 : 0)}+${clock.increment ?? 0}`;
}

// What a bot is called: "level-3" is "Level 3", "tilery@500ms" stays as it is.
export function botName(bot: string): string {
  const level = /^level-(\d+)$/.exec(bot)?.[1];
  if (level) return t('page.level', { n: Number(level) });
  return has(`page.bot-name.${bot}`) ? t(`page.bot-name.${bot}`) : bot;
}

export const seatName = (seat: { name: string; bot: string }) =>
  seat.bot && seat.name === seat.bot ? botName(seat.bot) : seat.name;

// How the server describes its bots, and what we call that.
const ABOUT: Record<string, string> = {
  'any legal move, all alike': 'page.bot.any-move',
  'the move that leaves it best off at once, looking no further': 'page.bot.at-once',
  'a tree search with random games to the end: the anchor': 'page.bot.anchor',
  'the strongest: the best search for the variant and the time': 'page.bot.strongest',
  'sees the points of its next tiling, and misses some': 'page.bot.next-tiling-some',
  'sees the points of its next tiling': 'page.bot.next-tiling',
  'sees the floor line too': 'page.bot.floor',
  'has some plan on its own board': 'page.bot.some-plan',
  'plans on its own board, very loosely': 'page.bot.plan-very-loose',
  'plans on its own board, loosely': 'page.bot.plan-loose',
  'plans on its own board': 'page.bot.plan',
  'plans on its own board with care': 'page.bot.plan-careful',
  'plans on its own board, strictly': 'page.bot.plan-strict',
  'looks at some answers': 'page.bot.answers',
  'looks a move ahead': 'page.bot.move-ahead',
  'looks some moves ahead': 'page.bot.moves-ahead',
  'thinks a little': 'page.bot.thinks-little',
  thinks: 'page.bot.thinks',
  'thinks longer': 'page.bot.thinks-longer',
  'thinks hard': 'page.bot.thinks-hard',
  'thinks ahead': 'page.bot.thinks-ahead',
  'full strength': 'page.bot.full',
  'sees its own points, and often takes less': 'page.bot.own-often-less',
  'sees its own points, and now and then takes less': 'page.bot.own-rarely-less',
  'sees its own points, and misses some': 'page.bot.own-some',
  'sees the points of all, and misses some': 'page.bot.all-some',
  'sees the points of all': 'page.bot.all',
  'saves its tokens for when they count': 'page.bot.tokens',
  'sees contacts, and cuts that threaten': 'page.bot.contacts',
  'sees cuts that threaten, and saves its tokens': 'page.bot.cuts-tokens',
  'has an idea of what a position is worth': 'page.bot.worth-idea',
  'knows roughly what a position is worth': 'page.bot.worth-roughly',
  'knows what a position is worth': 'page.bot.worth',
};

export function botAbout(about: string): string {
  const key = ABOUT[about];
  return key ? t(key) : about;
}

// Why something did not work.
export function errorWords(error: unknown): string {
  if (!(error instanceof Refused)) return t('page.error.fault');
  const { code, text } = error.error;
  if (has(`page.error.${code}`)) return t(`page.error.${code}`);
  return text || t('page.error.fault');
}
