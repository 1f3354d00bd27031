// The choices that lead step by step to one of the legal moves.
import { textOf } from '../../lib/moves';
import type { Move } from '../../lib/types';
import type { Choice, Part } from './types';

const same = (one: Part | undefined, other: Part): boolean => one?.step === other.step && one.value === other.value;

// The choices after a path, in the order of the moves.
export function choices(parts: (move: Move) => Part[], moves: readonly Move[], path: readonly Part[]): Choice[] {
  const result: Choice[] = [];
  for (const move of moves) {
    const whole = parts(move);
    const next = whole[path.length];
    if (!next || !path.every((part, at) => same(whole[at], part))) continue;
    let choice = result.find((one) => same(one, next));
    const isLast = whole.length === path.length + 1;
    if (!choice) result.push((choice = { ...next, moves: [], move: isLast ? textOf(move) : null }));
    choice.moves.push(move);
  }
  return result;
}

// The choices that make up a whole move.
export const pathOf = (parts: (move: Move) => Part[], move: Move): Choice[] =>
  parts(move).map((part) => ({ ...part, moves: [move], move: null }));
