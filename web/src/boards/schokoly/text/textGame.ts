// Schokoly on the text board.
import { textOf } from '../../../lib/moves';
import type { Move } from '../../../lib/types';
import type { Choice, Part, TextGame } from '../../text/types';
import { moveOf, placedCard } from '../moves';
import type { SchokolyView } from '../wire';
import ChoiceLabel from './ChoiceCard.svelte';
import Layout from './Layout.svelte';
import { choiceWords, groupOf, inOrder, questionWords, shortLabel, swapWords, thingWords } from './words';

// Steps: "kind", "card", "turn" (the pieces as they lie), "spot" ("3,-2", with a ^ for the second level), "token"
// ("0,0"), "offer" (the card that is offered), "to" (the seat it is offered to, from 1), "answer" (the card that is
// given in return), and "act" for moves of one word; "offer" leads on to the card.
export function parts(move: Move): Part[] {
  const parsed = moveOf(move);
  switch (parsed.kind) {
    case 'lay':
      return [
        { step: 'card', value: parsed.card },
        { step: 'turn', value: placedCard(parsed).pieces },
        { step: 'spot', value: `${parsed.x},${parsed.y}${parsed.level === 2 ? '^' : ''}` },
      ];
    case 'token':
      return [{ step: 'token', value: `${parsed.x},${parsed.y}` }];
    case 'kind':
      return [{ step: 'kind', value: parsed.text }];
    case 'answer':
      return [{ step: 'answer', value: parsed.card ?? '' }];
    case 'offer':
      return [
        { step: 'act', value: 'offer' },
        { step: 'offer', value: parsed.card ?? '' },
        { step: 'to', value: String(parsed.seat + 1) },
      ];
    default:
      return [{ step: 'act', value: textOf(move) }];
  }
}

function attributes({ step, value, moves }: Choice): Record<string, string> {
  const move = moves[0] && moveOf(moves[0]);
  if (step === 'spot' && move?.kind === 'lay')
    return { 'data-spot': `${move.x},${move.y}`, 'data-level': String(move.level) };
  if (step === 'token') return { 'data-act': 'token', 'data-token': value };
  if (step === 'offer' || step === 'answer') return { 'data-card': value };
  return { [step === 'to' ? 'data-seat' : `data-${step}`]: value };
}

// The choice of a rotation already shows the card, so the card itself is left out.
function pathShown(path: Choice[]): Choice[] {
  const isTurned = path.some((choice) => choice.step === 'turn');
  return path.filter((choice) => choice.step !== 'card' || !isTurned);
}

// During an offered swap, the partner decides.
export function actor({ phase, seat, partner }: SchokolyView): number | null {
  if (phase === 'answer') return partner;
  return ['start', 'deal', 'draw', 'over'].includes(phase) ? null : seat;
}

export const textGame: TextGame<SchokolyView> = {
  Layout,
  ChoiceLabel,
  example: 'WDDM@3,-2',
  parts,
  offer: inOrder,
  pathShown,
  attributes,
  group: groupOf,
  label: shortLabel,
  question: questionWords,
  choice: (view, choice, _, names) => choiceWords(view, names, choice),
  thing: thingWords,
  notes: swapWords,
  actor,
};
