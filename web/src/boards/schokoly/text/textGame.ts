// Schokoly on the text board.
import type { Part, TextGame } from '../../text/types';
import { cardOf, parseMove } from '../moves';
import type { SchokolyView } from '../view';
import ChoiceLabel from './ChoiceCard.svelte';
import Layout from './Layout.svelte';
import { choiceWords, groupOf, inOrder, questionWords, shortLabel, swapWords, thingWords } from './words';

// Steps: "kind", "card", "turn" (the pieces as they lie), "spot" ("3,-2", with a ^ for the second level), "token"
// ("0,0"), "offer" (the card that is offered), "to" (the seat it is offered to, from 1), "answer" (the card that is
// given in return), and "act" for moves of one word; "offer" leads on to the card.
export function parts(text: string): Part[] {
  const move = parseMove(text);
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

function attributes({ step, value }: Part): Record<string, string> {
  if (step === 'spot') return { 'data-spot': value.replace('^', ''), 'data-level': value.endsWith('^') ? '2' : '1' };
  if (step === 'token') return { 'data-act': 'token', 'data-token': value };
  if (step === 'offer' || step === 'answer') return { 'data-card': value };
  return { [step === 'to' ? 'data-seat' : `data-${step}`]: value };
}

// The choice of a rotation already shows the card, so the card itself is left out.
function pathShown(path: Part[]): Part[] {
  const isTurned = path.some((part) => part.step === 'turn');
  return path.filter((part) => part.step !== 'card' || !isTurned);
}

// During an offered swap, the partner decides.
export function actor({ phase, seat, partner }: SchokolyView): number | null {
  if (phase === 'answer') return partner;
  return phase === 'deal' || phase === 'draw' || phase === 'over' ? null : seat;
}

export function normalised(typed: string): string {
  return typed
    .toLowerCase()
    .trim()
    .replace(/\^|\bup\b/g, ' up')
    .replace(/[^a-z0-9-]+/g, ' ')
    .trim();
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
  choice: (view, part, _, names) => choiceWords(view, names, part),
  thing: thingWords,
  notes: swapWords,
  actor,
  normalised,
};
