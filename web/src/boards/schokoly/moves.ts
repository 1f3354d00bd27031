// Moves of Schokoly by their parts, and the choices that the legal moves offer.
import { textOf, withParts } from '../../lib/moves';
import type { Move } from '../../lib/types';
import { MOVE_PARTS, type Lay, type SchokolyMove } from './wire';

export const KINDS = ['D', 'M', 'W'] as const;
export const KIND_MOVES: Record<string, string> = { D: 'dark', M: 'milk', W: 'white' };
export const CARDS = ['DDDM', 'DDDW', 'MMMD', 'MMMW', 'WWWD', 'WWWM', 'DDMM', 'DDWW', 'MMWW', 'DDMW', 'MMWD', 'WWDM'];

export const moveOf = (move: Move): SchokolyMove => withParts(MOVE_PARTS, move);

export function layOf(move: Move | null | undefined): Lay | null {
  const parts = move ? moveOf(move) : null;
  return parts?.kind === 'lay' ? parts : null;
}

// A card as it is drawn before it is laid: where it would lie, and which way round.
export interface PlacedCard {
  pieces: string; // clockwise from the top left, as it lies
  x: number; // of the top left piece
  y: number;
  level: number;
}

export function placedCard({ card, turns, x, y, level }: Lay): PlacedCard {
  return { pieces: rotatePieces(card, turns), x, y, level };
}

// The notation of a card that is laid, legal or not, to ask the server what it would do or why it is illegal.
export function layText({ pieces, x, y, level }: PlacedCard): string {
  return `${pieces}@${x},${y}${level === 2 ? '^' : ''}`;
}

// Turned a quarter clockwise: the last piece moves to the top left.
export function rotatePieces(pieces: string, quarters = 1): string {
  const by = ((quarters % 4) + 4) % 4;
  return by ? pieces.slice(4 - by) + pieces.slice(0, 4 - by) : pieces;
}

export function countPieces(pieces: string, kind: string | null): number {
  return [...pieces].filter((piece) => piece === kind).length;
}

// A place where a card may be laid, with the text of the move for each rotation, by quarters.
export interface Spot {
  key: string;
  x: number;
  y: number;
  level: number;
  moves: (string | undefined)[];
}

export interface LegalChoices {
  kinds: { of: string; move: string }[]; // by letters
  spots: Record<string, Spot[]>; // by card
  tokens: { key: string; x: number; y: number; move: string }[];
  offers: { card: string; seat: number; move: string }[];
  answers: { card: string; move: string }[];
  plain: string[]; // no-token, pass, accept, decline
}

export function choicesIn(moves: readonly Move[]): LegalChoices {
  const choices: LegalChoices = { kinds: [], spots: {}, tokens: [], offers: [], answers: [], plain: [] };
  const spots = new Map<string, Spot>();
  for (const one of moves) {
    const move = textOf(one);
    const parts = moveOf(one);
    if (parts.kind === 'lay') {
      const { card, turns, x, y, level } = parts;
      const key = `${x},${y}`;
      let spot = spots.get(card + key);
      if (!spot) {
        spot = { key, x, y, level, moves: [] };
        spots.set(card + key, spot);
        (choices.spots[card] ??= []).push(spot);
      }
      spot.moves[turns] = move;
    } else if (parts.kind === 'kind') choices.kinds.push({ of: parts.of, move });
    else if (parts.kind === 'token')
      choices.tokens.push({ key: `${parts.x},${parts.y}`, x: parts.x, y: parts.y, move });
    else if (parts.kind === 'offer') choices.offers.push({ card: parts.card ?? '', seat: parts.seat, move });
    else if (parts.kind === 'answer') choices.answers.push({ card: parts.card ?? '', move });
    else choices.plain.push(move);
  }
  return choices;
}
