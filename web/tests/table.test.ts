import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Clock, Ply, Preview, Seat, State } from '../src/lib/types';
import { Choice, COUNTDOWN } from '../src/table/choice.svelte';
import { clockText, daysOf, isLow, leftNow } from '../src/table/clock';
import { inviteLink } from '../src/table/inviting';
import { keyOf } from '../src/table/keys';
import { entriesOf, veiled } from '../src/table/log';
import { Looking } from '../src/table/looking.svelte';
import { againstBots, joined, namesOf, people } from '../src/table/names';
import { typed } from '../src/table/typed';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a choice', () => {
  const made = (mode: 'off' | 'on' | 'countdown') => {
    const sent: string[] = [];
    return {
      sent,
      choice: new Choice(
        () => mode,
        (move) => sent.push(move),
      ),
    };
  };

  it('is sent at once where nothing is confirmed', () => {
    const { sent, choice } = made('off');
    choice.choose('1B1');
    expect(sent).toEqual(['1B1']);
    expect(choice.stage).toBe('sent');
  });

  it('is done when the board shows a game that has gone on, even if it passes over this very move', () => {
    let plies = 7;
    const choice = new Choice(
      () => 'off',
      () => undefined,
      () => plies,
    );
    choice.choose('1B1');
    choice.seen(7); // the game as it was
    expect(choice.stage).toBe('sent');
    plies = 9; // the move, and the answer to it
    choice.seen(9);
    expect([choice.move, choice.stage]).toEqual([null, 'none']);
  });

  it('is not touched by what the board shows while it waits for its confirmation', () => {
    const { choice } = made('on');
    choice.choose('1B1');
    choice.seen(99);
    expect([choice.move, choice.stage]).toEqual(['1B1', 'asking']);
  });

  it('waits for its confirmation, and can be changed and undone until then', () => {
    const { sent, choice } = made('on');
    choice.choose('1B1');
    choice.choose('1B2');
    expect([choice.move, choice.stage, sent]).toEqual(['1B2', 'asking', []]);
    choice.undo();
    expect([choice.move, choice.stage]).toEqual([null, 'none']);
    choice.choose('1B3');
    choice.confirm();
    expect(sent).toEqual(['1B3']);
  });

  it('is confirmed by choosing it once more', () => {
    const { sent, choice } = made('on');
    choice.choose('1B1');
    choice.choose('1B1');
    expect(sent).toEqual(['1B1']);
  });

  it('is sent when the countdown is over, unless it is undone or changed', () => {
    const { sent, choice } = made('countdown');
    choice.choose('1B1');
    vi.advanceTimersByTime(COUNTDOWN - 1);
    choice.choose('1B2');
    vi.advanceTimersByTime(COUNTDOWN - 1);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual(['1B2']);
    choice.drop();
    choice.choose('1B3');
    choice.choose(null);
    vi.advanceTimersByTime(COUNTDOWN * 2);
    expect(sent).toEqual(['1B2']);
  });

  it('that is sent is neither changed nor sent again', () => {
    const { sent, choice } = made('on');
    choice.choose('1B1');
    choice.confirm();
    choice.choose('1B2');
    choice.undo();
    choice.confirm();
    expect([choice.move, sent]).toEqual(['1B1', ['1B1']]);
  });

  it('stays while it is legal, and goes when it is not', () => {
    const { choice } = made('on');
    choice.choose('1B1');
    choice.check(['1B1', '1B2']);
    expect(choice.move).toBe('1B1');
    choice.check(['1B2']);
    expect(choice.move).toBeNull();
    choice.choose('1B2');
    choice.confirm();
    choice.check([]);
    expect(choice.move).toBe('1B2');
  });
});

describe('looking at moves', () => {
  const preview = (move: string): Preview => ({ move, legal: true, effects: { placed: 1 } });

  it('asks once for what is pointed at for a moment', async () => {
    const asked: string[][] = [];
    const looking = new Looking(async (moves) => {
      asked.push(moves);
      return { step: 5, previews: moves.map(preview) };
    });
    looking.begin(5);
    looking.look('1B1');
    await vi.advanceTimersByTimeAsync(20);
    looking.look('1B2');
    await vi.advanceTimersByTimeAsync(200);
    looking.look(null);
    looking.look('1B2');
    await vi.advanceTimersByTimeAsync(200);
    expect(asked).toEqual([['1B2']]);
    expect(looking.of('1B2')?.effects?.placed).toBe(1);
    expect(looking.of('1B1')).toBeNull();
  });

  it('forgets what was true of another position, and does not take late answers', async () => {
    let answer = (_: { step: number; previews: Preview[] }) => {};
    const looking = new Looking(() => new Promise((done) => (answer = done)));
    looking.begin(5);
    looking.look('1B1');
    await vi.advanceTimersByTimeAsync(100);
    looking.begin(6);
    answer({ step: 5, previews: [preview('1B1')] });
    await vi.advanceTimersByTimeAsync(1);
    expect(looking.of('1B1')).toBeNull();
  });

  it('asks again after a failure', async () => {
    let times = 0;
    const looking = new Looking(async () => {
      times += 1;
      throw new Error('no line');
    });
    looking.begin(5);
    await looking.fetch('1B1');
    await looking.fetch('1B1');
    expect(times).toBe(2);
  });
});

describe('a clock', () => {
  const clock: Clock = { base: 300, increment: 5, left: [120, 60] };
  it('runs for the actor only', () => {
    expect(leftNow(clock, 0, 0, 1_000, 31_000)).toBe(90);
    expect(leftNow(clock, 1, 0, 1_000, 31_000)).toBe(60);
    expect(leftNow(clock, 0, 0, 1_000, 500_000)).toBe(0);
    expect(leftNow(clock, 0, 0, 1_000, 900)).toBe(120);
  });
  it.each([
    [3729, '1:02:09'],
    [245.9, '4:05'],
    [60, '1:00'],
    [10, '0:10'],
    [9.99, '9.9'],
    [0, '0.0'],
  ])('shows %d seconds as %s', (seconds, text) => expect(clockText(seconds)).toBe(text));
  it('counts days where there are some', () => {
    expect(daysOf(2 * 86_400 + 3 * 3600)).toEqual({ days: 2, hours: 3 });
    expect(daysOf(86_399)).toBeNull();
  });
  it('warns in time', () => {
    expect([isLow(clock, 31), isLow(clock, 29)]).toEqual([false, true]);
    const short: Clock = { base: 30, increment: 0, left: [] };
    expect([isLow(short, 11), isLow(short, 9)]).toEqual([false, true]);
    expect([isLow({ days: 2, left: [] }, 7200), isLow({ days: 2, left: [] }, 3000)]).toEqual([false, true]);
  });
});

describe('the log', () => {
  it('has deals in a row as one entry that begins a round', () => {
    const history: Ply[] = [
      [-1, '+BBYR'],
      [-1, '+KKWW'],
      [0, '1B1'],
      [1, 'CK2'],
      [-1, '+RRRR'],
    ];
    expect(entriesOf('azul', history)).toEqual([
      { kind: 'deals', ply: 2, round: 1, deals: ['+BBYR', '+KKWW'] },
      { kind: 'move', ply: 3, seat: 0, move: '1B1' },
      { kind: 'move', ply: 4, seat: 1, move: 'CK2' },
      { kind: 'deals', ply: 5, round: 2, deals: ['+RRRR'] },
    ]);
    expect(entriesOf('schokoly', [[-1, '+?']])[0]).toMatchObject({ round: 0 });
  });

  // the game and what a spectator saw of it, as docs/notation.md has them
  it('shows several people at one screen what anybody may see', () => {
    const history: Ply[] = [
      [-1, '+DDDM'],
      [0, 'dark'],
      [0, 'DDDM@0,0'],
      [1, 'white'],
      [1, 'offer:DDMW>1'],
      [0, 'answer:WWDM'],
      [1, 'accept'],
      [1, 'DMWW@2,0'],
      [-1, '+?'],
      [2, 'accept:DDMW'],
      [1, 'offer:?2>1'],
    ];
    expect(veiled(history).map(([, move]) => move)).toEqual([
      '+?',
      'dark',
      'DDDM@0,0',
      'white',
      'offer:?2>1',
      'answer:?2',
      'accept',
      'DMWW@2,0',
      '+?',
      'accept',
      'offer:?2>1',
    ]);
  });
});

describe('a typed move', () => {
  const moves = ['3R2', 'CKF', '4R2<BK>Y', 'WDDM@3,-2^', 'no-token'];
  it.each([
    ['3r2', '3R2'],
    [' ckf ', 'CKF'],
    ['0kf', 'CKF'],
    ['4r2 <bk >y', '4R2<BK>Y'],
    ['wddm@3, -2^', 'WDDM@3,-2^'],
    ['NO-TOKEN', 'no-token'],
    ['9R9', null],
    ['', null],
  ])('%j is %j', (text, move) => expect(typed(text, moves)).toBe(move));
});

describe('a key', () => {
  const calm = { ctrlKey: false, metaKey: false, altKey: false, repeat: false, defaultPrevented: false };
  const press = (key: string, more: object = {}) => keyOf({ key, code: '', ...calm, target: null, ...more });
  const within = (found: string) => ({ closest: (what: string) => what.includes(found) || null });

  it('does what it is for', () => {
    expect([press('Enter'), press('Escape'), press('M'), press('?')]).toEqual(['confirm', 'undo', 'type', 'help']);
  });
  it('is found by its place on other keyboards', () => expect(press('ь', { code: 'KeyM' })).toBe('type'));
  it('is left to who writes, to the board, and to the browser', () => {
    expect(press('m', { target: within('textarea') })).toBeNull();
    expect(press('m', { defaultPrevented: true })).toBeNull();
    expect(press('c', { ctrlKey: true })).toBeNull();
    expect(press('q')).toBeNull();
  });
  it('Enter belongs to the button that has the focus', () => {
    expect(press('Enter', { target: within('button') })).toBeNull();
    expect(press('m', { target: within('button') })).toBe('type');
  });
});

describe('who is who', () => {
  const seat = (kind: Seat['kind'], name: string, bot = ''): Seat => ({ kind, name, bot, gone: false, lost: '' });
  const table = (you: number[], ...seats: Seat[]) => ({ you, seats }) as State;

  it('tells two of one name apart by their seats', () => {
    const seats = ['Ann', 'Bo', 'Ann'].map((name) => seat('person', name));
    expect(namesOf(seats)).toEqual(['Ann (1)', 'Bo', 'Ann (3)']);
  });
  it('keeps the name of who was replaced', () => expect(namesOf([seat('bot', 'Ann', 'greedy')])).toEqual(['Ann']));
  it('knows who is alone with bots', () => {
    const [ann, bo, bot] = [seat('person', 'Ann'), seat('person', 'Bo'), seat('bot', 'greedy', 'greedy')];
    expect(againstBots(table([0], ann, bot))).toBe(true);
    expect(againstBots(table([0], ann, bo, bot))).toBe(false);
    expect(againstBots(table([0, 1], ann, bo))).toBe(false);
    expect(againstBots(table([], bot, bot))).toBe(false);
    expect(people(table([0], ann, bot, bo))).toEqual([0, 2]);
  });
  it('joins names as the language does', () => {
    expect(joined(['Ann', 'Bo', 'Cleo'], 'en')).toBe('Ann, Bo, and Cleo');
    expect(joined(['Ann', 'Bo'], 'ru')).toBe('Ann и Bo');
  });
  it('invites to the address that others can reach', () =>
    expect(inviteLink('http://192.168.1.7:8000/', 'k7vq2m9xwp3d')).toBe('http://192.168.1.7:8000/t/k7vq2m9xwp3d'));
});
