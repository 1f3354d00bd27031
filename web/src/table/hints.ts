// Requests a hint. The first time, the server has to compile the engine and asks the client to retry.
import { showNotice } from '../lib/announcements.svelte';
import { ApiError } from '../lib/api';
import { t } from '../lib/i18n.svelte';

const NOT_YET = new Set(['busy', 'not-now', 'offline']);
const PAUSE = 2_000; // milliseconds between two attempts
const TRIES = 30;

const wait = (length: number) => new Promise<void>((done) => setTimeout(done, length));

// Repeat a request until there is a hint; null if the game has moved on.
export async function retryWhileBusy<T>(
  request: () => Promise<T>,
  step: number | undefined,
  now: () => number | undefined,
  pause: (length: number) => Promise<void> = wait,
): Promise<T | null> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await request();
    } catch (problem) {
      if (!(problem instanceof ApiError) || !NOT_YET.has(problem.error.kind) || tries >= TRIES) throw problem;
      if (tries === 1) showNotice(t('play.hint-slow'), 'plain', 12);
      await pause(PAUSE);
      if (now() !== step) return null;
    }
  }
}
