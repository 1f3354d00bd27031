// Why something was refused, in the reader's language where we have words for it.
import type { WireError } from '../lib/types';
import { has, t } from '../lib/words.svelte';

// `asked` is what was asked for, such as "takeback": the same code means different things.
export function reason(error: WireError | undefined, asked = ''): string {
  if (!error) return t('play.refused.fault');
  const closer = `${asked}-${error.code}`;
  if (has(`play.refused.${closer}`)) return t(`play.refused.${closer}`);
  return has(`play.refused.${error.code}`) ? t(`play.refused.${error.code}`) : error.text;
}
