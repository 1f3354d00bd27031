import { describe, expect, it } from 'vitest';
import { ApiError } from '../src/lib/api';
import { retryWhileBusy } from '../src/table/hints';

const refused = (kind: string) => new ApiError({ kind, code: kind, text: '' }, 503);
const soon = () => Promise.resolve();

function answers(...all: (string | Error)[]): () => Promise<string> {
  return async () => {
    const next = all.shift()!;
    if (typeof next === 'string') return next;
    throw next;
  };
}

describe('a hint', () => {
  it('is requested again while the engine is compiled', async () =>
    expect(await retryWhileBusy(answers(refused('busy'), refused('not-now'), 'take it'), 4, () => 4, soon)).toBe(
      'take it',
    ));

  it('is dropped when the game has moved on', async () =>
    expect(await retryWhileBusy(answers(refused('busy'), 'too late'), 4, () => 5, soon)).toBeNull());

  it.each(['not-allowed', 'not-your-turn', 'too-many-requests'])(
    'is not requested again if it is refused: %s',
    async (kind) =>
      expect(retryWhileBusy(answers(refused(kind), 'never'), 4, () => 4, soon)).rejects.toMatchObject({
        error: { kind },
      }),
  );

  it('is given up after too many attempts', async () => {
    let asked = 0;
    const ask = () => {
      asked += 1;
      return Promise.reject(refused('busy'));
    };
    await expect(retryWhileBusy(ask, 4, () => 4, soon)).rejects.toMatchObject({ error: { kind: 'busy' } });
    expect(asked).toBe(30);
  });
});
