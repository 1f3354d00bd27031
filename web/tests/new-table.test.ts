import { describe, expect, it } from 'vitest';
import {
  clockOf,
  defaultForm,
  movedUp,
  playableBot,
  resized,
  restoreForm,
  variantOf,
  tableRequestOf,
} from '../src/pages/newTable';

const called = (seat: number) => `Player ${seat + 1}`;

describe('a new table', () => {
  it('is for me and a bot by default', () =>
    expect(tableRequestOf('bot', defaultForm('bot'), called)).toEqual({
      game: 'azul',
      variant: '',
      seats: [
        { kind: 'me', name: 'Player 1' },
        { kind: 'bot', bot: 'level-3' },
      ],
      clock: null,
      public: false,
    }));

  it('has open seats for friends, and people on one device', () => {
    expect(tableRequestOf('friends', defaultForm('friends'), called).seats[1]).toEqual({ kind: 'open' });
    expect(tableRequestOf('device', defaultForm('device'), called).seats[1]).toEqual({
      kind: 'me',
      name: 'Player 2',
    });
  });

  it('is in the lobby only if somebody can join', () => {
    const form = { ...defaultForm('friends'), public: true };
    expect(tableRequestOf('friends', form, called).public).toBe(true);
    form.seats[1]!.kind = 'bot';
    expect(tableRequestOf('friends', form, called).public).toBe(false);
  });
});

describe('the variant', () => {
  it('is written in the order of the notation', () =>
    expect(
      variantOf({
        ...defaultForm('bot'),
        options: { wall: 'grey', specials: 'game', start: 'drawn', rounds: 20, stall: 5 },
      }),
    ).toBe('grey,specials=game,start=drawn,rounds=20,stall=5'));

  it('has swaps with three players only', () => {
    const form = { ...defaultForm('bot'), game: 'schokoly', options: { set: 'large', swap: true } };
    expect(variantOf(form)).toBe('large');
    expect(variantOf({ ...form, seats: resized('bot', form.seats, 3) })).toBe('large,swap');
  });

  it('has no options of the other games', () =>
    expect(variantOf({ ...defaultForm('bot'), game: 'schokoly', options: { wall: 'grey', stall: 3 } })).toBe(''));
  it('says who starts in every game', () => {
    for (const game of ['azul', 'schokoly'])
      expect(variantOf({ ...defaultForm('bot'), game, options: { start: 'drawn' } })).toMatch(/start=drawn$/);
  });
});

describe('the clock', () => {
  const own = { minutes: 15, seconds: 10, days: 2 };
  it.each([
    ['none', null],
    ['3+2', { base: 180, increment: 2 }],
    ['10+10', { base: 600, increment: 10 }],
    ['own', { base: 900, increment: 10 }],
    ['days', { days: 2 }],
  ] as const)('%s', (preset, clock) => expect(clockOf({ preset, ...own })).toEqual(clock));

  it('stays within the limits of the server, whatever was typed', () => {
    expect(clockOf({ preset: 'own', minutes: 0, seconds: 999, days: 0 })).toEqual({ base: 10, increment: 180 });
    expect(clockOf({ preset: 'own', minutes: NaN, seconds: -3, days: 0 })).toEqual({ base: 10, increment: 0 });
    expect(clockOf({ preset: 'days', minutes: 1, seconds: 1, days: 99 })).toEqual({ days: 14 });
  });
});

describe('seats', () => {
  const { seats } = defaultForm('bot');
  it('are added at the end', () => {
    expect(resized('bot', seats, 4).map((seat) => seat.kind)).toEqual(['me', 'bot', 'bot', 'bot']);
    expect(resized('friends', seats, 3).map((seat) => seat.kind)).toEqual(['me', 'bot', 'open']);
  });
  it('are removed, but never mine', () => {
    const last = movedUp(movedUp(resized('bot', seats, 3), 1), 2);
    expect(last.map((seat) => seat.kind)).toEqual(['bot', 'bot', 'me']);
    expect(resized('bot', last, 2).map((seat) => seat.kind)).toEqual(['bot', 'me']);
  });
});

describe('a bot', () => {
  const bots = ['random', 'level-1', 'level-2', 'tilery'].map((name) => ({ name, about: '' }));
  it('is the one that was chosen', () => expect(playableBot(bots, 'level-1')).toBe('level-1'));
  it('is the highest level if it does not play this game', () => expect(playableBot(bots, 'level-14')).toBe('level-2'));
  it('is kept as long as no bots are known', () => expect(playableBot([], 'level-14')).toBe('level-14'));
});

describe('stored forms', () => {
  it('are restored', () => {
    const form = { ...defaultForm('bot'), game: 'chocolatier' as const, wall: 'grey' as const };
    expect(restoreForm('bot', form)).toEqual(form);
  });
  it('are completed if they are from an older version', () =>
    expect(restoreForm('bot', { game: 'schokoly' })).toEqual({ ...defaultForm('bot'), game: 'schokoly' }));
  it('are dropped if they make no sense', () => {
    const odd = { ...defaultForm('bot'), game: 'chess', seats: defaultForm('device').seats } as never;
    expect(restoreForm('bot', odd)).toEqual(defaultForm('bot'));
  });
});
