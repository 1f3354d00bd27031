// Where points come from, in the reader's words. The server says it in English.
import type { GameName } from '../lib/types';
import { t } from '../lib/words.svelte';

const minus = (coordinate: string): string => coordinate.replace('-', '−');

export function countWords(game: GameName, what: string): string {
  if (what === 'total') return t('replay.count.total');
  if (/ tiling, less the /.test(what)) return t(`replay.count.tiling.${game}`);
  const bonus = /^complete (rows|columns|colours), /.exec(what);
  if (bonus) return t(`replay.count.${bonus[1]}`);
  if (what === 'largest group of the own kind') return t('replay.count.largest');
  const neutral = /^neutral group of \w+ at (-?\d+),(-?\d+)$/.exec(what);
  if (neutral) return t('replay.count.neutral', { column: minus(neutral[1]!), row: minus(neutral[2]!) });
  return what;
}
