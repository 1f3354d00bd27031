// A hint that takes long: the first time the engine has to be made ready on the server's machine, which says "not yet".
import { notice } from '../lib/announce.svelte';
import { Refused } from '../lib/api';
import { t } from '../lib/words.svelte';

const NOT_YET = new Set(['overloaded', 'not-now', 'offline']);
const PAUSE = 2_000; // milliseconds between two tries
const TRIES = 30;

const wait = (length: number) => new Promise<void>((done) => setTimeout(done, length));

// Ask until there is an answer, or the game has gone on: then null.
export async function patiently<T>(
  ask: () => Promise<T>,
  step: number | undefined,
  now: () => number | undefined,
  pause: (length: number) => Promise<void> = wait,
): Promise<T | null> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (problem) {
      if (!(problem instanceof Refused) || !NOT_YET.has(problem.error.code) || tries >= TRIES) throw problem;
      if (tries === 1) notice(t('play.hint-slow'), 'plain', 12);
      await pause(PAUSE);
      if (now() !== step) return null;
    }
  }
}
