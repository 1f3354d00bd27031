// Why a request or a command failed, in the user's language.
import { ApiError } from './api';
import { hasTranslation, t } from './i18n.svelte';
import { refusalText, type RefusalWords } from './refusals';
import type { ErrorInfo, GameName } from './types';

// Errors of the connection and the server have words for their code or for their kind, refusals for their code in the
// words of a game.
export function errorText(problem: unknown, game: GameName = '', words: RefusalWords = {}): string {
  const error = problem instanceof ApiError ? problem.error : (problem as ErrorInfo | undefined);
  if (!error?.kind) return t('page.error.internal-error');
  const ofCode = `page.error.${error.code}`;
  const ofKind = `page.error.${error.kind}`;
  if (hasTranslation(ofCode)) return t(ofCode);
  if (hasTranslation(ofKind) && !hasTranslation(`refusals.${error.code}`)) return t(ofKind);
  return refusalText(error, game, words);
}
