// Schokoly in words: cards, places and choices.
import type { Group } from '../../../lib/types';
import type { SchokolyView } from '../view';
import { t } from '../../../lib/i18n.svelte';
import { KIND_MOVES } from '../moves';
import type { Part } from '../../text/types';

const LETTERS: Record<string, string> = Object.fromEntries(
  Object.entries(KIND_MOVES).map(([letter, word]) => [word, letter]),
);

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

function spot(value: string): { x: string; y: string; up: boolean } {
  const [x = '', y = ''] = value.replace('^', '').split(',');
  return { x, y, up: value.endsWith('^') };
}

// Spots are grouped by row; the row is the heading.
export function groupOf(part: Part): string {
  if (part.step !== 'spot') return '';
  const { y, up } = spot(part.value);
  return t(up ? 'spoken.row-up' : 'spoken.row', { n: withMinusSign(y) });
}

export function shortLabel(part: Part): string {
  return withMinusSign(spot(part.value).x);
}

// Ordered by level, row and column.
export function inOrder<P extends Part>(parts: P[]): P[] {
  if (parts[0]?.step !== 'spot') return parts;
  const key = ({ value }: P): [number, number, number] => {
    const { x, y, up } = spot(value);
    return [Number(up), Number(y), Number(x)];
  };
  return [...parts].sort((a, b) => {
    const [one, other] = [key(a), key(b)];
    return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
  });
}

export function choiceWords(view: SchokolyView, names: string[], part: Part): string {
  const { step, value } = part;
  if (step === 'kind') return kindWords(LETTERS[value] ?? '');
  if (step === 'card' || step === 'turn' || step === 'offer' || step === 'answer') return cardWords(value);
  if (step === 'to') return names[Number(value) - 1] ?? '';
  if (step === 'act') return t(`spoken.act.${value}`);
  const { x, y } = spot(value);
  if (step === 'spot') return t('spoken.column', { n: withMinusSign(x) });
  const card = view.table.findLast((one) => `${one.x},${one.y}` === value);
  return `${placeWords(x, y)}: ${cardWords(card?.pieces ?? '')}`;
}

export function questionWords(view: SchokolyView, part: Part | undefined): string {
  const step = part?.step;
  if (step === 'turn' || step === 'spot' || step === 'offer' || step === 'to') return t(`spoken.ask.${step}`);
  const isAsked = view.phase !== 'draw' && view.phase !== 'deal' && view.phase !== 'over';
  return t(`spoken.ask.${isAsked ? view.phase : 'place'}`);
}

// "dark: 10 pieces, column 2, row −2"
export function groupWords(group: Group): string {
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
