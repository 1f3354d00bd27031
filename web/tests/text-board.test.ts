import { describe, expect, it } from 'vitest';
import azulMoments from './fixtures/text-azul.json';
import schokolyMoments from './fixtures/text-schokoly.json';
import { playOf } from '../src/boards/play';
import { gridOf } from '../src/boards/schokoly/text/grid';
import { choices as choicesOf } from '../src/boards/text/moveParts';
import * as typed from '../src/boards/text/keyboard';
import { orderOf } from '../src/boards/text/seats';
import type { Part } from '../src/boards/text/types';
import type { GameName, View } from '../src/lib/types';
import type { Card } from '../src/boards/schokoly/view';

interface Moment {
  game: GameName;
  seat: number;
  view: View;
  moves: string[];
}
const moments = [...azulMoments, ...schokolyMoments] as unknown as Moment[];
const named = moments.map((one): [string, Moment] => {
  const { game, view, moves } = one;
  return [`${game} ${view.rules} ${view.phase}, ${moves.length} moves`, one];
});

const textOf = (game: GameName) => playOf(game).text!;
const choices = (game: GameName, moves: string[], path: Part[]) => choicesOf(textOf(game).parts, moves, path);
const matchingMoves = (game: GameName, moves: string[], text: string) =>
  typed.matchingMoves(textOf(game).normalised, moves, text);
const resolveMove = (game: GameName, moves: string[], text: string) =>
  typed.resolveMove(textOf(game).normalised, moves, text);

// Every move that can be reached by choosing step by step.
function reached(game: GameName, moves: string[], path: Part[] = []): string[] {
  return choices(game, moves, path).flatMap((choice) =>
    choice.move === null ? reached(game, moves, [...path, { step: choice.step, value: choice.value }]) : [choice.move],
  );
}

describe('the steps of a move', () => {
  it.each(named)('lead to every legal move and to no other: %s', (_, { game, moves }) =>
    expect(reached(game, moves).sort()).toEqual([...moves].sort()),
  );

  it.each(named)('offer every choice once, and lead to all moves: %s', (_, { game, moves }) => {
    const first = choices(game, moves, []);
    expect(new Set(first.map((one) => one.step + one.value)).size).toBe(first.length);
    expect(first.flatMap((one) => one.moves).sort()).toEqual([...moves].sort());
  });

  it.each([
    ['azul', '3R2', ['take 3R', 'line 2']],
    ['azul', 'CKF', ['take CK', 'line F']],
    ['chocolatier', '4R2<BK>Y', ['take 4R', 'line 2', 'pass <BK>Y']],
    ['azul', '4:2', ['cell 4:2']],
    ['schokoly', 'dark', ['kind dark']],
    ['schokoly', 'WDDM@3,-2^', ['card DDMW', 'turn WDDM', 'spot 3,-2^']],
    ['schokoly', 'token@0,-4', ['token 0,-4']],
    ['schokoly', 'no-token', ['act no-token']],
    ['schokoly', 'offer:DDDM>2', ['act offer', 'offer DDDM', 'to 2']],
    ['schokoly', 'answer:MMWD', ['answer MMWD']],
    ['schokoly', 'accept', ['act accept']],
  ] as const)('of %s %s', (game, move, steps) =>
    expect(
      textOf(game)
        .parts(move)
        .map((part) => `${part.step} ${part.value}`),
    ).toEqual(steps),
  );
});

describe('a typed move', () => {
  const moves = ['3R1', '3R2', '3RF', '4R2<BK>Y', 'CK1'];
  it('may be written in lower case, with blanks, with 0 for the centre', () => {
    expect(resolveMove('azul', moves, ' 3r 2 ')).toBe('3R2');
    expect(resolveMove('azul', moves, '0k1')).toBe('CK1');
  });
  it('is chosen as soon as only one matches', () => {
    expect(resolveMove('azul', moves, '4')).toBe('4R2<BK>Y');
    expect(resolveMove('azul', moves, '3r')).toBeNull();
    expect(matchingMoves('azul', moves, '3r')).toEqual(['3R1', '3R2', '3RF']);
  });
  it('is null if nothing was typed or nothing matches', () => {
    expect(matchingMoves('azul', moves, ' ')).toEqual([]);
    expect(resolveMove('azul', moves, '9b1')).toBeNull();
  });
  it('of Schokoly needs no signs, and the exact one comes first', () => {
    const laid = ['WDDM@3,-2^', 'WDDM@3,-2', 'WDDM@3,-21', 'token@0,0', 'no-token', 'offer:DDDM>2'];
    expect(resolveMove('schokoly', laid, 'wddm 3 -2')).toBe('WDDM@3,-2');
    expect(resolveMove('schokoly', laid, 'wddm (3, -2) up')).toBe('WDDM@3,-2^');
    expect(resolveMove('schokoly', laid, 'token 0 0')).toBe('token@0,0');
    expect(resolveMove('schokoly', laid, 'no')).toBe('no-token');
    expect(resolveMove('schokoly', laid, 'offer dddm 2')).toBe('offer:DDDM>2');
  });
  it.each(named)('in exact notation is always the move itself: %s', (_, { game, moves: legal }) => {
    for (const move of legal) expect(resolveMove(game, legal, move)).toBe(move);
  });
});

describe('the table as a grid', () => {
  const card = (pieces: string, x: number, y: number, level: 1 | 2 = 1, token = false): Card => {
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
    expect(textOf(game).actor(view)).toBe(seat),
  );
  it('begin with the viewer and follow in order of play', () => {
    expect(orderOf(4, 2)).toEqual([2, 3, 0, 1]);
    expect(orderOf(3, null)).toEqual([0, 1, 2]);
  });
});
