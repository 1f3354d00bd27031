// Refusals in words: every code and phrase of the library in every language, with the arguments that it has.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LANGUAGES, loadRefusals, loadTranslations, t, type Language } from '../src/lib/i18n.svelte';
import { errorText } from '../src/lib/errors';
import { refusalText, type Argument, type Refusal } from '../src/lib/refusals';
import { settings } from '../src/lib/settings.svelte';
import { inEdition } from '../src/boards/azul/edition';
import { refusalIn } from '../src/boards/describe';
import fixture from './fixtures/refusal-sentences.json';

interface Case {
  game: string;
  error: Refusal;
}
const cases = fixture as Case[];
const languages = Object.keys(LANGUAGES) as Language[];

// The fixture has the tiles of Azul.
const COLOURS = ['colour', 'held', 'rest', 'disc'];
function inLetters(error: Refusal, game: string): Refusal {
  const letters = (text: string) => text.replace(/[A-Z]/g, (letter) => inEdition(game, letter));
  const facts = Object.entries(error.arguments ?? {}).map(([name, value]): [string, Argument] => {
    return [name, COLOURS.includes(name) && typeof value === 'string' ? letters(value) : value];
  });
  return { ...error, arguments: Object.fromEntries(facts) };
}

const use = async (language: Language) => {
  settings.language = language;
  await loadTranslations();
  await loadRefusals();
};

beforeAll(() => {
  vi.stubGlobal('document', { documentElement: {} });
  vi.stubGlobal('navigator', { languages: ['en'] });
});
afterAll(() => vi.unstubAllGlobals());

describe.each(languages)('in %s', (language) => {
  beforeAll(() => use(language));

  it('has a sentence for every code and phrase', () => {
    for (const { game, error } of cases)
      for (const edition of game === 'azul' ? ['azul', 'chocolatier'] : [game]) {
        const text = refusalIn(edition, inLetters(error, edition));
        const what = `${edition} ${error.code} ${JSON.stringify(error.arguments)}: ${text}`;
        expect(text, what).not.toBe(error.text);
        expect(text, what).not.toMatch(/\{\w+\}|undefined|NaN|null|refusals\.|azul\.\w|schokoly\.\w/);
        expect(text, what).toMatch(/[^.\s]\.$/);
        expect(text.charAt(0), what).toBe(text.charAt(0).toLocaleUpperCase(language));
      }
  });

  it('keeps the English text of an unknown code', () => {
    expect(refusalText({ code: 'newer', text: 'the reason' })).toBe('the reason');
    expect(refusalText({ code: 'expected', text: 'x', arguments: { what: 'newer', found: 'y' } })).toBe('x');
  });
});

describe('a refusal', () => {
  const sentence = async (language: Language, error: Partial<Refusal>, game = 'azul') => {
    await use(language);
    return refusalIn(game, { code: '', text: '', ...error });
  };

  it.each([
    ['en', 'Factory 3: there are no tiles of this colour (blue).'],
    ['ru', 'Склад 3: плиток этого цвета (синий) там нет.'],
    ['uk', 'Фабрика 3: плиток цього кольору (синій) там немає.'],
    ['ro', 'Fabrica 3: nu sunt plăcuțe de această culoare (albastru).'],
  ] as const)('has the words of its game in %s', async (language, text) =>
    expect(await sentence(language, { code: 'no-such-tile', arguments: { from: 3, colour: 'B' } })).toBe(text),
  );

  it('has the words of its edition', async () => {
    const error = { code: 'no-such-tile', arguments: { from: 3, colour: 'B' } };
    expect(await sentence('en', error, 'chocolatier')).toBe('Plate 3: there are no chocolates of this colour (blue).');
    expect(await sentence('en', { ...error, arguments: { from: 0, colour: 'K' } })).toBe(
      'Centre: there are no tiles of this colour (black).',
    );
    const shown = { code: 'row-shows-colour', arguments: { line: 1, colour: 'R' } };
    expect(await sentence('ru', shown)).toBe('В ряду 2 стены этот цвет уже есть (красный).');
    expect(await sentence('ru', shown, 'chocolatier')).toBe('В ряду 2 коробки этот цвет уже есть (рубиновый).');
    const fill = { code: 'not-now', arguments: { due: 'fill' } };
    expect(await sentence('en', fill)).toBe('Not now: the next factory is filled first, such as +BBYR.');
    expect(await sentence('en', fill, 'chocolatier')).toBe('Not now: the next plate is filled first, such as +BBNW.');
    const disc = { code: 'disc-there', arguments: { disc: 'magnetR' } };
    expect(await sentence('en', disc, 'chocolatier')).toBe(
      'This special disc is already in the circle: Magnet for ruby.',
    );
    expect(await sentence('uk', { code: 'line-full', arguments: { line: 1 } }, 'chocolatier')).toBe(
      'Поличка 2 заповнена.',
    );
  });

  it('of a text has its place, counted from 1', async () => {
    const error = {
      code: 'number-range',
      arguments: { what: 'starting-seat', low: 2, high: 2, number: 9, in_tag: 'Rules' },
      line: 3,
      column: 17,
    };
    expect(await sentence('en', error)).toBe(
      'Line 3, column 17: in the tag Rules: expected the starting seat, 2 to 2; found 9.',
    );
    expect(await sentence('ru', error)).toBe(
      'Строка 3, знак 17: в теге Rules: ожидается: место первого игрока, от 2 до 2; найдено: 9.',
    );
  });

  it('says what was expected, and what was found', async () => {
    const error = (found: string) => ({ code: 'expected', arguments: { what: 'next-line', line: 1, found } });
    expect(await sentence('en', error('end-of-text'))).toBe(
      'Expected “/” and pattern line 2; found the end of the text.',
    );
    expect(await sentence('uk', error('x'))).toBe('Очікується: «/» і лінія візерунка 2; знайдено: «x».');
  });

  it('names a player, and one who is none', async () => {
    const error = (actor: string | number) => ({ code: 'not-your-turn', arguments: { actor, by: 1 } });
    expect(await sentence('en', error(0))).toBe('It is the turn of seat 1, not of seat 2.');
    expect(await sentence('ro', error('chance'))).toBe('Acum mută sorțul, nu jucătorul de la locul 2.');
  });

  it('names a kind, a hidden card, and the move of a record', async () => {
    const hidden = { code: 'not-in-hand', arguments: { seat: 1, card: '?2' } };
    expect(await sentence('ru', hidden, 'schokoly')).toBe('У места 2 нет этой карты: закрытая карта.');
    const taken = { code: 'kind-taken', arguments: { kind: 'D', in_move: 'dark' }, line: 10, column: 1 };
    expect(await sentence('en', taken, 'schokoly')).toBe(
      'Line 10, column 1: “dark”: this kind is taken (dark): choose one of the two others.',
    );
  });

  it('writes out what cannot be seen', async () => {
    const error = { code: 'forbidden-character', arguments: { what: 'name', character: '\u202e' } };
    expect(await sentence('en', error)).toBe('A name: the character “\\u202e” is not allowed.');
  });

  it('has large numbers as they are written in the language', async () => {
    const error = { code: 'too-many-events', arguments: { most: 20000 } };
    await use('ru');
    expect(refusalText({ ...error, text: '' })).toContain((20000).toLocaleString('ru'));
    expect(t('refusals.quoted', { text: 'x' })).toBe('«x»');
  });
});

describe('errors of the server', () => {
  afterAll(() => use('en'));

  it.each(languages)('a full disk has words of its own in %s, other errors those of their kind', async (language) => {
    await use(language);
    const full = errorText({ kind: 'unavailable', code: 'disk-full', text: 'full' });
    const unavailable = errorText({ kind: 'unavailable', code: 'unavailable', text: 'unavailable' });
    expect([full, unavailable]).toEqual([t('page.error.disk-full'), t('page.error.unavailable')]);
    expect(errorText({ kind: 'unavailable', code: 'something-new', text: 'new' })).toBe(unavailable);
  });
});
