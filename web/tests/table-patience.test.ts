import { describe, expect, it } from 'vitest';
import { Refused } from '../src/lib/api';
import { patiently } from '../src/table/patience';

const refused = (code: string) => new Refused({ code, text: '' }, 503);
const soon = () => Promise.resolve();

function answers(...all: (string | Error)[]): () => Promise<string> {
  return async () => {
    const next = all.shift()!;
    if (typeof next === 'string') return next;
    throw next;
  };
}

describe('a hint', () => {
  it('is asked for again while the engine is made ready', async () =>
    expect(await patiently(answers(refused('overloaded'), refused('not-now'), 'take it'), 4, () => 4, soon)).toBe(
      'take it',
    ));

  it('is given up when the game has gone on', async () =>
    expect(await patiently(answers(refused('overloaded'), 'too late'), 4, () => 5, soon)).toBeNull());

  it.each(['not-allowed', 'not-your-turn', 'too-many'])(
    'is not asked for again where it is refused: %s',
    async (code) =>
      expect(patiently(answers(refused(code), 'never'), 4, () => 4, soon)).rejects.toMatchObject({ error: { code } }),
  );

  it('is given up in the end', async () => {
    let asked = 0;
    const ask = () => {
      asked += 1;
      return Promise.reject(refused('overloaded'));
    };
    await expect(patiently(ask, 4, () => 4, soon)).rejects.toMatchObject({ error: { code: 'overloaded' } });
    expect(asked).toBe(30);
  });
});
