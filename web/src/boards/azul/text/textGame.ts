// Both Azul editions on the text board.
import type { GameName, Move } from '../../../lib/types';
import type { Choice, Offered, Part, TextGame } from '../../text/types';
import { FLOOR, attempt, lineName, moveOf, pickOf, takesIn } from '../moves';
import type { AzulView } from '../wire';
import Layout from './Layout.svelte';
import { choiceWords, questionWords, thingWords } from './words';

const LINES = ['1', '2', '3', '4', '5', FLOOR];

// Steps: "take" (source and colour, "4B"), "line" ("1" to "5", or "F"), "pass" (where the rest of the spreader goes,
// "BK>Y"), "cell" (of a grey wall, "4:2").
export function parts(move: Move): Part[] {
  const parsed = moveOf(move);
  if (parsed.kind !== 'take') return [{ step: parsed.kind, value: parsed.text }];
  const { left, right } = parsed;
  const result: Part[] = [
    { step: 'take', value: pickOf(parsed) },
    { step: 'line', value: lineName(parsed.line) },
  ];
  return left || right ? [...result, { step: 'pass', value: `${left}>${right}` }] : result;
}

// Illegal lines are listed too: pointing at one shows why it is illegal.
export function offer(choices: Offered[], path: Choice[], moves: Move[]): Offered[] {
  if (choices[0]?.step !== 'line') return choices;
  const takes = takesIn(moves);
  return LINES.map((value) => {
    const move = attempt(takes, path[0]!.value, value);
    return choices.find((one) => one.value === value) ?? { step: 'line', value, moves: [], move, legal: false };
  });
}

export const textGame = (game: GameName): TextGame<AzulView> => ({
  Layout,
  example: '3R2',
  ownStep: 'take',
  parts,
  offer,
  question: (_, choice) => questionWords(game, choice),
  choice: (view, choice, seat) => choiceWords(game, view, seat, choice),
  thing: (_, thing) => thingWords(game, thing),
  round: (view) => view.round,
  actor: ({ phase, seat }) => (phase === 'offer' || phase === 'tiling' ? seat : null),
});
