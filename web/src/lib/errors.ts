// Errors of the server in the user's language, if there is a translation; otherwise in English.
import type { WireError } from './types';
import { hasTranslation, t } from './i18n.svelte';
import { ApiError } from './api';

// Why a command was refused. `asked` is the kind of request, such as "takeback": the same code can mean
// different things.
export function refusalText(error: WireError | undefined, asked = ''): string {
  if (!error) return t('play.refused.internal-error');
  const specific = `${asked}-${error.code}`;
  if (hasTranslation(`play.refused.${specific}`)) return t(`play.refused.${specific}`);
  return hasTranslation(`play.refused.${error.code}`) ? t(`play.refused.${error.code}`) : error.text;
}

// Why a request of the study page failed.
export function studyErrorText(error: unknown): string {
  if (!(error instanceof ApiError)) return t('replay.failed');
  const { code } = error.error;
  if (code === 'no-table') return t('replay.no-table');
  if (code === 'too-many-requests' || code === 'busy') return t('replay.busy');
  return error.message || t('replay.failed');
}

// Why any other request failed.
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return t('page.error.internal-error');
  const { code, text } = error.error;
  if (hasTranslation(`page.error.${code}`)) return t(`page.error.${code}`);
  return text || t('page.error.internal-error');
}
