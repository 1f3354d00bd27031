import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Clock, Preview, Previews, Seat, State } from '../src/lib/types';
import { PendingMove, COUNTDOWN } from '../src/table/pendingMove.svelte';
import { clockText, daysOf, isLow, leftNow } from '../src/table/clock';
import { inviteLink } from '../src/lib/links';
import { shortcutOf } from '../src/table/keyboard';
import { PreviewStore } from '../src/table/previews.svelte';
import { againstBots, joinNames, namesOf, people } from '../src/table/seats';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a pending move', () => {
  const made = (mode: 'off' | 'on' | 'countdown') => {
    const sent: string[] = [];
    return {
      sent,
      choice: new PendingMove(
        () => mode,
        (move) => sent.push(move),
      ),
    };
  };

  it('is sent at once if confirmation is off', () => {
    const { sent, choice } = made('off');
    choice.choose('1B1');
    expect(sent).toEqual(['1B1']);
    expect(choice.stage).toBe('sent');
  });

  it('is dropped when the board shows a later position, even if it skips this move', () => {
    let plies = 7;
    const choice = new PendingMove(
      () => 'off',
      () => undefined,
      () => plies,
    );
    choice.choose('1B1');
    choice.seen(7); // the position before the move
    expect(choice.stage).toBe('sent');
    plies = 9; // the move, and a reply by the opponent
    choice.seen(9);
    expect([choice.move, choice.stage]).toEqual([null, 'none']);
  });

  it('is not affected by what the board shows while it waits for confirmation', () => {
    const { choice } = made('on');
    choice.choose('1B1');
    choice.seen(99);
    expect([choice.move, choice.stage]).toEqual(['1B1', 'asking']);
  });

  it('waits for confirmation, and can be changed and undone until then', () => {
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

  it('is confirmed by choosing it again', () => {
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

  it('is neither changed nor sent again once it is sent', () => {
    const { sent, choice } = made('on');
    choice.choose('1B1');
    choice.confirm();
    choice.choose('1B2');
    choice.undo();
    choice.confirm();
    expect([choice.move, sent]).toEqual(['1B1', ['1B1']]);
  });

  it('stays while it is legal, and is dropped otherwise', () => {
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

describe('previews', () => {
  const preview = (typed: string): Preview => ({ typed, move: ['take', typed, 0], effects: [{ type: 'taken' }] });

  it('are requested once, after pointing for a moment', async () => {
    const requested: string[][] = [];
    const previews = new PreviewStore(async (moves) => {
      requested.push(moves);
      return { step: 5, previews: moves.map(preview) };
    });
    previews.begin(5);
    previews.look('1B1');
    await vi.advanceTimersByTimeAsync(20);
    previews.look('1B2');
    await vi.advanceTimersByTimeAsync(200);
    previews.look(null);
    previews.look('1B2');
    await vi.advanceTimersByTimeAsync(200);
    expect(requested).toEqual([['1B2']]);
    expect(previews.of('1B2')?.effects).toEqual([{ type: 'taken' }]);
    expect(previews.of('1B1')).toBeNull();
  });

  it('are discarded with their position, and late responses are ignored', async () => {
    let respond = (_: Previews) => {};
    const previews = new PreviewStore(() => new Promise((done) => (respond = done)));
    previews.begin(5);
    previews.look('1B1');
    await vi.advanceTimersByTimeAsync(100);
    previews.begin(6);
    respond({ step: 5, previews: [preview('1B1')] });
    await vi.advanceTimersByTimeAsync(1);
    expect(previews.of('1B1')).toBeNull();
  });

  it('are requested again after a failure', async () => {
    let times = 0;
    const previews = new PreviewStore(async () => {
      times += 1;
      throw new Error('no connection');
    });
    previews.begin(5);
    await previews.fetch('1B1');
    await previews.fetch('1B1');
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
  it('counts days if there are any', () => {
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

describe('a key', () => {
  const unmodified = { ctrlKey: false, metaKey: false, altKey: false, repeat: false, defaultPrevented: false };
  const press = (key: string, more: object = {}) => shortcutOf({ key, code: '', ...unmodified, target: null, ...more });
  const within = (selector: string) => ({ closest: (what: string) => what.includes(selector) || null });

  it('has an action', () => {
    expect([press('Enter'), press('Escape'), press('M'), press('?')]).toEqual(['confirm', 'undo', 'type', 'help']);
  });
  it('is recognised by its physical position with other alphabets', () =>
    expect(press('ь', { code: 'KeyM' })).toBe('type'));
  it('is left to input fields, to the board, and to the browser', () => {
    expect(press('m', { target: within('textarea') })).toBeNull();
    expect(press('m', { defaultPrevented: true })).toBeNull();
    expect(press('c', { ctrlKey: true })).toBeNull();
    expect(press('q')).toBeNull();
  });
  it('Enter is left to the button that has the focus', () => {
    expect(press('Enter', { target: within('button') })).toBeNull();
    expect(press('m', { target: within('button') })).toBe('type');
  });
});

describe('the players', () => {
  const seat = (kind: Seat['kind'], name: string, bot = ''): Seat => ({ kind, name, bot, gone: false, lost: '' });
  const table = (you: number[], ...seats: Seat[]) => ({ you, seats }) as State;

  it('are distinguished by their seats if their names are the same', () => {
    const seats = ['Ann', 'Bo', 'Ann'].map((name) => seat('person', name));
    expect(namesOf(seats)).toEqual(['Ann (1)', 'Bo', 'Ann (3)']);
  });
  it('keep their names when they are replaced', () => expect(namesOf([seat('bot', 'Ann', 'greedy')])).toEqual(['Ann']));
  it('do not reorder the text around them', () =>
    expect(namesOf([seat('person', 'דוד'), seat('person', 'Ann')])).toEqual(['\u2068דוד\u2069', 'Ann']));
  it('show whether the user plays only against bots', () => {
    const [ann, bo, bot] = [seat('person', 'Ann'), seat('person', 'Bo'), seat('bot', 'greedy', 'greedy')];
    expect(againstBots(table([0], ann, bot))).toBe(true);
    expect(againstBots(table([0], ann, bo, bot))).toBe(false);
    expect(againstBots(table([0, 1], ann, bo))).toBe(false);
    expect(againstBots(table([], bot, bot))).toBe(false);
    const resigned = { ...seat('bot', 'Ann', 'greedy'), lost: 'resigned' as const };
    expect(againstBots(table([0], resigned, bot))).toBe(false);
    expect(againstBots(table([0, 1], resigned, bo))).toBe(true);
    expect(people(table([0], ann, bot, bo))).toEqual([0, 2]);
  });
  it('are listed as usual in the language', () => {
    expect(joinNames(['Ann', 'Bo', 'Cleo'], 'en')).toBe('Ann, Bo, and Cleo');
    expect(joinNames(['Ann', 'Bo'], 'ru')).toBe('Ann и Bo');
  });
});

it('an invitation links to the address that others can reach', () =>
  expect(inviteLink('http://192.168.1.7:8000/', 'k7vq2m9xwp3d')).toBe('http://192.168.1.7:8000/t/k7vq2m9xwp3d'));
