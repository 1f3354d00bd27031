import { describe, expect, it } from 'vitest';
import { formatMessage, pickLanguage } from '../src/lib/i18n.svelte';

describe('the language', () => {
  it('is the chosen one, whatever the browser says', () => expect(pickLanguage(['de-DE', 'ru-RU'], 'ro')).toBe('ro'));
  it('is the first supported language of the browser', () =>
    expect(pickLanguage(['de-DE', 'uk-UA', 'en'], '')).toBe('uk'));
  it('is English if none is supported', () => expect(pickLanguage(['de', 'fr'], '')).toBe('en'));
});

describe('a text', () => {
  it('has its values filled in, and keeps placeholders without a value', () =>
    expect(formatMessage('{who} takes {n} of {what}', 'en', { who: 'Ann', n: 2 })).toBe('Ann takes 2 of {what}'));

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
  ] as const)('has the plural of %s for %i', (language, n, text) =>
    expect(formatMessage(points[language], language, { n })).toBe(text),
  );
});
