import { describe, expect, it, vi } from 'vitest';
import {
  byUrgency,
  forEachLimited,
  isMyTurn,
  others,
  outcome,
  type RecentTable,
  type TableSummary,
} from '../src/lib/recentTables';
import { seatIn, tableIn } from '../src/lib/links';
import { isOutdated } from '../src/pages/serverStatus.svelte';

vi.hoisted(() => vi.stubGlobal('navigator', { onLine: true })); // Node 20 has none

const person = (name: string) => ({ kind: 'person', name, bot: '' });
const bot = { kind: 'bot', name: 'level-3', bot: 'level-3' };
const seen = (more: Partial<TableSummary> = {}): TableSummary => ({
  status: 'playing',
  seats: [person('Ann'), bot],
  you: [0],
  actor: 0,
  ...more,
});
const table = (name: string, at: number, how?: TableSummary): RecentTable => ({
  table: name,
  game: 'azul',
  variant: '2',
  at,
  ...(how ? { seen: how } : {}),
});

describe('my tables', () => {
  it('start with those where it is my turn, and end with those that are over', () => {
    const tables = [
      table('over', 9, seen({ status: 'over', actor: null })),
      table('theirs', 5, seen({ actor: 1 })),
      table('unknown', 8),
      table('older', 1, seen()),
      table('mine', 2, seen()),
    ];
    expect(byUrgency(tables).map((one) => one.table)).toEqual(['mine', 'older', 'unknown', 'theirs', 'over']);
  });

  it('show whether it is my turn', () => {
    expect(isMyTurn(seen())).toBe(true);
    expect(isMyTurn(seen({ actor: 1 }))).toBe(false);
    expect(isMyTurn(seen({ status: 'over' }))).toBe(false);
    expect(isMyTurn(seen({ seats: [{ ...bot, name: 'Ann' }, bot] }))).toBe(false); // a bot plays on
    expect(isMyTurn(undefined)).toBe(false);
  });

  it('name the others, or everybody if several are on this device', () => {
    expect(others(seen())).toEqual([bot]);
    expect(others(seen({ seats: [person('Ann'), person('Bob'), bot], you: [0, 1] }))).toHaveLength(3);
    expect(others(seen({ seats: [person('Ann'), { kind: 'open', name: '', bot: '' }] }))).toEqual([]);
  });

  it('show how it ended for me', () => {
    expect(outcome(seen({ winners: [0] }))).toBe('won');
    expect(outcome(seen({ winners: [1] }))).toBe('lost');
    expect(outcome(seen({ winners: [0, 1] }))).toBe('shared');
    expect(outcome(seen({ winners: [0], you: [] }))).toBe('over');
    expect(outcome(seen({ winners: [0], seats: [person('Ann'), person('Bob')], you: [0, 1] }))).toBe('over');
  });

  it('are requested a few at a time', async () => {
    let now = 0;
    let most = 0;
    const done: number[] = [];
    await forEachLimited([1, 2, 3, 4, 5, 6, 7], async (thing) => {
      most = Math.max(most, (now += 1));
      await Promise.resolve();
      now -= 1;
      done.push(thing);
    });
    expect(most).toBe(3);
    expect(done.sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});

describe('a pasted table', () => {
  it.each([
    ['k7vq2m9xwp3d', 'k7vq2m9xwp3d'],
    [' K7VQ2M9XWP3D ', 'k7vq2m9xwp3d'],
    ['https://tables.example.org/t/k7vq2m9xwp3d', 'k7vq2m9xwp3d'],
    ['tables.example.org/t/k7vq2m9xwp3d#ply=17', 'k7vq2m9xwp3d'],
    ['/t/k7vq2m9xwp3d/', 'k7vq2m9xwp3d'],
    ['hello', ''],
    ['https://example.org/t/k7vq2m9xwp3dxx', ''],
    ['', ''],
  ])('%s', (text, name) => expect(tableIn(text)).toBe(name));

  it('keeps the seat of a private link', () => {
    const token = '5d0c1f9e7a3b46288e21f0c4d9b7a613';
    expect(seatIn(`https://example.org/t/k7vq2m9xwp3d#seat=${token}`)).toBe(token);
    expect(seatIn('https://example.org/t/k7vq2m9xwp3d')).toBe('');
  });
});

describe('a newer version', () => {
  it('is available if the hashes differ', () => expect(isOutdated('a1', 'b2')).toBe(true));
  it('is not available if they are equal, nothing is built, or this is a development build', () =>
    expect([isOutdated('a1', 'a1'), isOutdated('a1', ''), isOutdated('dev', 'b2')]).toEqual([false, false, false]));
});
