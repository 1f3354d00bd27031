// Moves split into the choices that make them up: tiles, then a line, then where the rest of the spreader goes.
import type { GameName } from '../../lib/types';
import { parseMove as parseAzulMove } from '../azul/moves';
import { cardOf, parseMove as parseSchokolyMove } from '../schokoly/moves';

export type MoveStep =
  | 'take' // "4B": source and colour
  | 'line' // "1" to "5", or "F"
  | 'pass' // "<BK>Y": where the rest of the spreader goes
  | 'cell' // "4:2": a cell of a grey wall
  | 'kind'
  | 'card'
  | 'turn' // the pieces as they lie
  | 'spot' // "3,-2", with a ^ for the second level
  | 'token' // "0,0"
  | 'offer' // the card that is offered
  | 'to' // the seat it is offered to, from 1
  | 'answer' // the card that is given in return
  | 'act'; // moves of one word, such as "pass"; "offer" leads on to the card

export interface Part {
  step: MoveStep;
  value: string;
}

export interface Choice extends Part {
  moves: string[]; // the legal moves that start with this choice
  move: string | null; // the complete move, if nothing is left to choose
}

function azulParts(move: string): Part[] {
  const parsed = parseAzulMove(move);
  if (parsed.kind === 'cell') return [{ step: 'cell', value: move }];
  if (parsed.kind !== 'take') return [{ step: 'act', value: move }];
  const parts: Part[] = [
    { step: 'take', value: parsed.source + parsed.colour },
    { step: 'line', value: parsed.to },
  ];
  return move.length > 3 ? [...parts, { step: 'pass', value: move.slice(3) }] : parts;
}

function schokolyParts(text: string): Part[] {
  const move = parseSchokolyMove(text);
  if (move.what === 'lay')
    return [
      { step: 'card', value: cardOf(move.pieces).card },
      { step: 'turn', value: move.pieces },
      { step: 'spot', value: text.slice(5) },
    ];
  if (move.what === 'token') return [{ step: 'token', value: text.slice(6) }];
  if (move.what === 'kind') return [{ step: 'kind', value: text }];
  if (move.what === 'answer') return [{ step: 'answer', value: text.slice(7) }];
  if (move.what === 'offer')
    return [
      { step: 'act', value: 'offer' },
      { step: 'offer', value: move.card ?? '' },
      { step: 'to', value: String(move.seat + 1) },
    ];
  return [{ step: 'act', value: text }];
}

export function parts(game: GameName, move: string): Part[] {
  return game === 'schokoly' ? schokolyParts(move) : azulParts(move);
}

const same = (one: Part | undefined, other: Part): boolean => one?.step === other.step && one.value === other.value;

// The choices after a path, in the order of the moves.
export function choices(game: GameName, moves: string[], path: Part[]): Choice[] {
  const result: Choice[] = [];
  for (const move of moves) {
    const whole = parts(game, move);
    const next = whole[path.length];
    if (!next || !path.every((part, at) => same(whole[at], part))) continue;
    let choice = result.find((one) => same(one, next));
    if (!choice) result.push((choice = { ...next, moves: [], move: whole.length === path.length + 1 ? move : null }));
    choice.moves.push(move);
  }
  return result;
}
