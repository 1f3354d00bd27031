// Both Azul editions on the text board.
import type { GameName } from '../../../lib/types';
import type { Offered, Part, TextGame } from '../../text/types';
import { FLOOR, attempt, parseMove } from '../moves';
import type { AzulView } from '../view';
import Layout from './Layout.svelte';
import { choiceWords, questionWords, thingWords } from './words';

const TARGETS = ['1', '2', '3', '4', '5', FLOOR];

// Steps: "take" (source and colour, "4B"), "line" ("1" to "5", or "F"), "pass" (where the rest of the spreader goes,
// "<BK>Y"), "cell" (of a grey wall, "4:2").
export function parts(move: string): Part[] {
  const parsed = parseMove(move);
  if (parsed.kind === 'cell') return [{ step: 'cell', value: move }];
  if (parsed.kind !== 'take') return [{ step: 'act', value: move }];
  const result: Part[] = [
    { step: 'take', value: parsed.source + parsed.colour },
    { step: 'line', value: parsed.to },
  ];
  return move.length > 3 ? [...result, { step: 'pass', value: move.slice(3) }] : result;
}

// Illegal lines are listed too: pointing at one shows why it is illegal.
export function offer(choices: Offered[], path: Part[], moves: string[]): Offered[] {
  if (choices[0]?.step !== 'line') return choices;
  return TARGETS.map((value) => {
    const move = attempt(moves, path[0]!.value, value);
    return choices.find((one) => one.value === value) ?? { step: 'line', value, moves: [], move, legal: false };
  });
}

// 0 stands for the centre.
export function normalised(typed: string): string {
  return typed
    .toLowerCase()
    .replace(/\s+/g, '')
    .replace(/^0/, 'c')
    .replace(/[^a-z0-9<>:]/g, '');
}

export const textGame = (game: GameName): TextGame<AzulView> => ({
  Layout,
  example: '3R2',
  ownStep: 'take',
  parts,
  offer,
  normalised,
  question: (_, part) => questionWords(game, part),
  choice: (view, part, seat) => choiceWords(game, view, seat, part),
  thing: (_, thing) => thingWords(game, thing),
  round: (view) => view.round,
  actor: ({ phase, seat }) => (phase === 'offer' || phase === 'tiling' ? seat : null),
});
