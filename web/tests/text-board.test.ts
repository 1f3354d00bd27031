import { describe, expect, it } from 'vitest';
import { playOf } from '../src/boards/play';
import { gridOf } from '../src/boards/schokoly/text/grid';
import { choices as choicesOf, pathOf } from '../src/boards/text/moveParts';
import { orderOf } from '../src/boards/text/seats';
import type { Part } from '../src/boards/text/types';
import { textOf } from '../src/lib/moves';
import type { GameName, Move } from '../src/lib/types';
import type { Card } from '../src/boards/schokoly/wire';
import { TAKES, TURNS, type Turn } from './fixtures';

const named = TURNS.map((one): [string, Turn] => {
  const { game, view, moves } = one;
  return [`${game} ${view.rules} ${view.phase}, ${moves.length} moves`, one];
});

const textBoardOf = (game: GameName) => playOf(game).text!;
const choices = (game: GameName, moves: Move[], path: Part[]) => choicesOf(textBoardOf(game).parts, moves, path);
const sorted = (moves: Move[]) => moves.map(textOf).sort();

// Every move that can be reached by choosing step by step.
function reached(game: GameName, moves: Move[], path: Part[] = []): string[] {
  return choices(game, moves, path).flatMap((choice) =>
    choice.move === null ? reached(game, moves, [...path, choice]) : [choice.move],
  );
}

describe('the steps of a move', () => {
  it.each(named)('lead to every legal move and to no other: %s', (_, { game, moves }) =>
    expect(reached(game, moves).sort()).toEqual(sorted(moves)),
  );

  it.each(named)('offer every choice once, and lead to all moves: %s', (_, { game, moves }) => {
    const first = choices(game, moves, []);
    expect(new Set(first.map((one) => one.step + one.value)).size).toBe(first.length);
    expect(sorted(first.flatMap((one) => one.moves))).toEqual(sorted(moves));
  });

  // One move of each kind, taken from the games; the parts are those that its notation shows.
  const ALL = [...TURNS.flatMap(({ game, moves }) => moves.map((move) => [game, move] as const))];
  const TAKEN = TAKES.map(({ game, move }) => [game, move] as const);
  it.each([
    [/^\d[A-Z][1-5]$/, ([source, colour, line]: string) => [`take ${source}${colour}`, `line ${line}`]],
    [/^C[A-Z]F$/, ([, colour]: string) => [`take C${colour}`, 'line F']],
    [
      /^\d[A-Z][1-5]<[A-Z]+>[A-Z]+$/,
      (text: string) => [`take ${text.slice(0, 2)}`, `line ${text[2]}`, `pass ${text.slice(4)}`],
    ],
    [/^\d:\d$/, (text: string) => [`cell ${text}`]],
    [/^dark$/, () => ['kind dark']],
    [/^token@/, (text: string) => [`token ${text.slice(6)}`]],
    [/^no-token$/, () => ['act no-token']],
    [/^offer:[A-Z]+>\d$/, (text: string) => ['act offer', `offer ${text.slice(6, 10)}`, `to ${text[11]}`]],
    [/^answer:[A-Z]+$/, (text: string) => [`answer ${text.slice(7)}`]],
    [/^accept$/, () => ['act accept']],
  ])('are read from its parts: %s', (pattern, steps) => {
    const [game, move] = [...ALL, ...TAKEN].find(([, one]) => pattern.test(textOf(one)))!;
    const path = pathOf(textBoardOf(game).parts, move);
    expect(path.map(({ step, value }) => `${step} ${value}`)).toEqual(steps(textOf(move)));
  });

  it('of a card: the card, how it is turned, and where it is laid', () => {
    const lays = ALL.filter(([, [kind]]) => kind === 'lay');
    expect(lays.some(([, move]) => textOf(move).endsWith('^'))).toBe(true);
    for (const [game, move] of lays) {
      const [card, turn, spot, ...more] = textBoardOf(game).parts(move);
      expect(`${turn!.value}@${spot!.value}`).toBe(textOf(move));
      expect([...card!.value].sort()).toEqual([...turn!.value].sort());
      expect(more).toEqual([]);
    }
  });
});

describe('the table as a grid', () => {
  const card = (pieces: string, x: number, y: number, level = 1, token = false): Card => {
    return { pieces, x, y, level, token };
  };
  const table = [card('MMMW', 1, 0, 2, true), card('DDDM', 0, 0), card('MWWD', 2, 0)];
  const grid = gridOf(table, 1);
  const rows = grid.rows.map((row) => row.cells.map((cell) => cell.piece || '.').join(''));

  it('shows what lies on top, with a margin', () => {
    expect(grid.columns).toEqual([-1, 0, 1, 2, 3, 4]);
    expect(rows).toEqual(['......', '.DMMW.', '.MWMW.', '......']);
  });
  it('shows levels, tokens and the edges of cards', () => {
    const [, upper] = grid.rows;
    expect(upper!.cells.map((cell) => cell.level)).toEqual([0, 1, 2, 2, 1, 0]);
    expect(upper!.cells.map((cell) => cell.token)).toEqual([false, false, true, true, false, false]);
    expect(upper!.cells.map((cell) => cell.right)).toEqual([true, true, false, true, true, false]);
  });
  it('is small if it is empty', () => expect(gridOf([], 0).columns).toEqual([0, 1]));
});

describe('the seats', () => {
  it.each(named)('include the one to decide: %s', (_, { game, view, seat }) =>
    expect(textBoardOf(game).actor(view)).toBe(seat),
  );
  it('begin with the viewer and follow in order of play', () => {
    expect(orderOf(4, 2)).toEqual([2, 3, 0, 1]);
    expect(orderOf(3, null)).toEqual([0, 1, 2]);
  });
});
