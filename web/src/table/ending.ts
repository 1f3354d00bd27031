// How a game ended, in the reader's words. The server says it in English.
import { has, t } from '../lib/words.svelte';

const ENDINGS: Record<string, string> = {
  'a complete row': 'row',
  'no tile left to deal': 'tiles',
  'the stall limit': 'stall',
  'the round limit': 'rounds',
  'the last card': 'cards',
  'passes all round': 'passes',
  resigned: 'resigned',
  time: 'time',
  draw: 'draw',
};

export function endedBy(what: string): string {
  const key = ENDINGS[what];
  return key && has(`play.ended.${key}`) ? t(`play.ended.${key}`) : what;
}
