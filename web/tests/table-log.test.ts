import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { AzulEffect } from '../src/boards/azul/wire';
import { loadTranslations } from '../src/lib/i18n.svelte';
import { textOf } from '../src/lib/moves';
import { logEntries, type LogEntry } from '../src/table/moveLog';
import { REPLAYS, TABLES } from './fixtures';

const NAMES = ['Ann', 'Ben', 'Cleo'];
const only = <K extends LogEntry['kind']>(entries: LogEntry[], kind: K) =>
  entries.filter((entry): entry is Extract<LogEntry, { kind: K }> => entry.kind === kind);
const replayOf = (game: string) => REPLAYS.find((one) => one.game === game)!;

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: {} });
  vi.stubGlobal('navigator', { languages: ['en'] });
  await loadTranslations();
});

describe('the log', () => {
  const { steps } = replayOf('azul');
  let entries: LogEntry[];
  beforeAll(() => void (entries = logEntries('azul', steps, NAMES)));

  it('joins consecutive deals to one entry, which begins a round', () => {
    const deals = only(entries, 'deals');
    expect(deals.map(({ round }) => round)).toEqual(deals.map((_, at) => at + 1));
    expect(deals.flatMap((entry) => entry.deals)).toEqual(
      steps.filter(({ actor }) => actor < 0).map(({ move }) => move),
    );
    expect(logEntries('schokoly', replayOf('schokoly').steps, NAMES)[0]).toMatchObject({ kind: 'deals', round: 0 });
  });

  it('has every move, and the number of plies up to it', () => {
    for (const { ply, seat, move } of only(entries, 'move'))
      expect(steps[ply - 1]).toMatchObject({ actor: seat, move });
    expect(only(entries, 'move')).toHaveLength(steps.filter(({ actor }) => actor >= 0).length);
  });

  it('says what each move did, with numbers and points', () => {
    for (const { ply, facts } of only(entries, 'move')) {
      const effects = steps[ply - 1]!.effects as AzulEffect[];
      const taken = effects.find((effect) => effect.type === 'taken')!;
      const placed = effects.find((effect) => effect.type === 'placed');
      const words = facts.map(({ text }) => text).join(' · ');
      if (placed?.full) expect(words).toMatch(/: full.* · The tiling will bring \d+ points?/);
      if (placed && (placed.full || placed.number < taken.number))
        expect(words).toMatch(new RegExp(`^${placed.number} tiles? to line ${placed.line + 1}`));
      if (taken.number > (placed?.number ?? 0)) expect(words).toMatch(/(fall|falls|more): (−\d|no penalty)/);
      if (placed?.number === taken.number && effects.length < 4 && !placed.full)
        expect(words, 'the sentence about the move says it').not.toMatch(/to line/);
    }
  });

  it('sums up each round once, after its last move', () => {
    const rounds = only(entries, 'round');
    const ends = steps.flatMap(({ effects }, at) => (effects.some(({ type }) => type === 'offer-ended') ? at + 1 : []));
    expect(rounds.map(({ ply }) => ply)).toEqual(ends);
    expect(rounds.map(({ round }) => round)).toEqual(ends.map((_, at) => at + 1));
    for (const round of rounds) {
      expect(round.seats).toHaveLength(NAMES.length);
      expect(entries[entries.indexOf(round) - 1]).toMatchObject({ kind: 'move', ply: round.ply });
    }
  });

  it('of Schokoly says how the points have changed', () => {
    const [laid] = only(logEntries('schokoly', replayOf('schokoly').steps, NAMES), 'move').filter(({ facts }) =>
      facts.some(({ text }) => / → /.test(text)),
    );
    expect(laid!.move[0]).toBe('lay');
    expect(laid!.facts[0]!.text).toMatch(/^(Dark|Milk|White): 0 → \d+$/);
  });

  it('of people who share a device does not tell one what the other holds', () => {
    const { welcome, updates } = TABLES.find(({ game, seats }) => game === 'schokoly' && seats === 'aa')!;
    const told = updates.flatMap(({ events }) =>
      events.flatMap((event) => (event.type === 'played' ? event.plies : [])),
    );
    const plies = [...welcome.history!, ...told] as typeof steps;
    const draws = plies.filter(({ move }) => move[0] === 'draw').map(({ move }) => textOf(move));
    expect(draws.length).toBeGreaterThan(4);
    expect(new Set(draws)).toEqual(new Set(['+?']));
  });
});
