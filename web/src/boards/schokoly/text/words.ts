// Schokoly in words: cards, places and choices.
import { t } from '../../../lib/i18n.svelte';
import { layOf, moveOf } from '../moves';
import type { Choice } from '../../text/types';
import type { Lay, SchokolyView, ScoredGroup } from '../wire';

export function kindWords(letter: string): string {
  return t(`spoken.kind.${letter}`);
}

// A card as it lies: "above dark, dark; below white, milk"
export function cardWords(pieces: string): string {
  if (pieces.length !== 4) return t('spoken.hidden');
  const [a, b, d, c] = [...pieces].map(kindWords) as [string, string, string, string];
  return t('spoken.card', { a, b, c, d });
}

export function placeWords(x: number | string, y: number | string): string {
  return t('spoken.place', { column: withMinusSign(x), row: withMinusSign(y) });
}

export function withMinusSign(value: number | string): string {
  return String(value).replace('-', '−');
}

const spotOf = ({ step, moves }: Choice): Lay | null => (step === 'spot' ? layOf(moves[0]) : null);

// Spots are grouped by row; the row is the heading.
export function groupOf(choice: Choice): string {
  const spot = spotOf(choice);
  return spot ? t(spot.level === 2 ? 'spoken.row-up' : 'spoken.row', { n: withMinusSign(spot.y) }) : '';
}

export const shortLabel = (choice: Choice): string => withMinusSign(spotOf(choice)?.x ?? '');

// Ordered by level, row and column.
export function inOrder<C extends Choice>(choices: C[]): C[] {
  if (choices[0]?.step !== 'spot') return choices;
  const spots = new Map(choices.map((choice) => [choice, spotOf(choice)!]));
  return choices.toSorted((a, b) => {
    const [one, other] = [spots.get(a)!, spots.get(b)!];
    return one.level - other.level || one.y - other.y || one.x - other.x;
  });
}

export function choiceWords(view: SchokolyView, names: string[], { step, value, moves }: Choice): string {
  const move = moves[0] && moveOf(moves[0]);
  if (step === 'card' || step === 'turn' || step === 'offer' || step === 'answer') return cardWords(value);
  if (step === 'act') return t(`spoken.act.${value}`);
  if (move?.kind === 'kind') return kindWords(move.of);
  if (move?.kind === 'offer') return names[move.seat] ?? '';
  if (move?.kind === 'lay') return t('spoken.column', { n: withMinusSign(move.x) });
  if (move?.kind !== 'token') return value;
  const card = view.table.findLast((one) => one.x === move.x && one.y === move.y);
  return `${placeWords(move.x, move.y)}: ${cardWords(card?.pieces ?? '')}`;
}

export function questionWords(view: SchokolyView, choice: Choice | undefined): string {
  const step = choice?.step;
  if (step === 'turn' || step === 'spot' || step === 'offer' || step === 'to') return t(`spoken.ask.${step}`);
  const isAsked = !['start', 'deal', 'draw', 'over'].includes(view.phase);
  return t(`spoken.ask.${isAsked ? view.phase : 'place'}`);
}

// "dark: 10 pieces, column 2, row −2"
export function groupWords(group: ScoredGroup): string {
  const [x, y] = group.cells[0] ?? [0, 0];
  return `${kindWords(group.kind)}: ${t('spoken.pieces', { n: group.size })}, ${placeWords(x, y)}`;
}

// What is on offer in a swap, as far as the viewer may know.
export function swapWords(view: SchokolyView, names: string[]): string[] {
  const texts: string[] = [];
  const offerer = view.seat === null ? '' : (names[view.seat] ?? '');
  const partner = view.partner === null ? '' : (names[view.partner] ?? '');
  if (view.offer) {
    const { card, number: n } = view.offer;
    texts.push(t('spoken.swap-offer', { name: offerer, to: partner, card: cardWords(card), n }));
  }
  if (view.answer) {
    const { card, number: n } = view.answer;
    texts.push(t('spoken.swap-answer', { name: partner, card: cardWords(card), n }));
  }
  return texts;
}

// The names of what a tour points at. Single cells are only marked in the grid: there can be many.
export function thingWords(view: SchokolyView, thing: string): string {
  const [what = '', at = ''] = thing.split(':');
  const [x = '', y = ''] = at.split(',');
  const group = what === 'group' ? view.groups.find((one) => one.cells.some((cell) => cell.join() === at)) : undefined;
  if (group) return groupWords(group);
  if (what === 'card' || what === 'spot' || what === 'group') return placeWords(x, y);
  if (what === 'hand' || what === 'table' || what === 'stack' || what === 'seats') return t(`spoken.thing.${what}`);
  return '';
}
