// Why a request failed, in the reader's words where there are some; else as the server says it.
import { Refused } from '../lib/api';
import { t } from '../lib/words.svelte';

export function refusal(error: unknown): string {
  if (!(error instanceof Refused)) return t('replay.failed');
  const { code } = error.error;
  if (code === 'no-table') return t('replay.no-table');
  if (code === 'too-many' || code === 'overloaded') return t('replay.busy');
  return error.message || t('replay.failed');
}
