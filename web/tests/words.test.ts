import { describe, expect, it } from 'vitest';
import { fill, wanted } from '../src/lib/words.svelte';

describe('the language', () => {
  it('is the chosen one, whatever the browser says', () => expect(wanted(['de-DE', 'ru-RU'], 'ro')).toBe('ro'));
  it('is the first of the browser that is spoken here', () => expect(wanted(['de-DE', 'uk-UA', 'en'], '')).toBe('uk'));
  it('is English where none is spoken here', () => expect(wanted(['de', 'fr'], '')).toBe('en'));
});

describe('a text', () => {
  it('has its values filled in, and keeps a name that nobody gave', () =>
    expect(fill('{who} takes {n} of {what}', 'en', { who: 'Ann', n: 2 })).toBe('Ann takes 2 of {what}'));

  const points = {
    en: { one: '{n} point', other: '{n} points' },
    ru: { one: '{n} очко', few: '{n} очка', many: '{n} очков', other: '{n} очка' },
    uk: { one: '{n} очко', few: '{n} очки', many: '{n} очок', other: '{n} очка' },
    ro: { one: '{n} punct', few: '{n} puncte', other: '{n} de puncte' },
  };
  it.each([
    ['en', 1, '1 point'],
    ['en', 21, '21 points'],
    ['ru', 21, '21 очко'],
    ['ru', 22, '22 очка'],
    ['ru', 11, '11 очков'],
    ['uk', 1, '1 очко'],
    ['uk', 3, '3 очки'],
    ['uk', 12, '12 очок'],
    ['ro', 1, '1 punct'],
    ['ro', 19, '19 puncte'],
    ['ro', 20, '20 de puncte'],
  ] as const)('has the plural of %s for %i', (language, n, told) =>
    expect(fill(points[language], language, { n })).toBe(told),
  );
});
