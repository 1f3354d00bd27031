// The choices that lead step by step to one of the legal moves.
import type { Choice, Part } from './types';

const same = (one: Part | undefined, other: Part): boolean => one?.step === other.step && one.value === other.value;

// The choices after a path, in the order of the moves.
export function choices(parts: (move: string) => Part[], moves: string[], path: Part[]): Choice[] {
  const result: Choice[] = [];
  for (const move of moves) {
    const whole = parts(move);
    const next = whole[path.length];
    if (!next || !path.every((part, at) => same(whole[at], part))) continue;
    let choice = result.find((one) => same(one, next));
    if (!choice) result.push((choice = { ...next, moves: [], move: whole.length === path.length + 1 ? move : null }));
    choice.moves.push(move);
  }
  return result;
}
