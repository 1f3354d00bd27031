// Moves as the server writes them: a list of the kind, the text in notation, the action, and the parts of the kind.
import type { Move, Preview } from './types';

export const textOf = (move: Move): string => move[1];

// A move as an object with named parts; `parts` has their names for each kind of move (MOVE_PARTS of a game).
export function withParts<M>(parts: Record<string, readonly string[]>, move: Move): M {
  const [kind, text, action, ...values] = move;
  const named: Record<string, unknown> = { kind, text, action };
  for (const [at, name] of (parts[kind] ?? []).entries()) named[name] = values[at];
  return named as M;
}

// The move with a text; while no move is legal, because one was sent, it may be that of a preview.
export const findMove = (moves: readonly Move[], text: string | null, preview?: Preview | null): Move | undefined =>
  moves.find((move) => textOf(move) === text) ??
  (preview?.move && textOf(preview.move) === text ? preview.move : undefined);
