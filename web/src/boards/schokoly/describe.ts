// Moves of Schokoly in words: what was played, and what a move would do.
import { t } from '../../lib/i18n.svelte';
import type { Effect, Move, Ply, Preview } from '../../lib/types';
import type { Fact } from '../types';
import { cellKey, cellKeys } from './geometry';
import { countPieces, KINDS, moveOf } from './moves';
import type { Card, Laid, SchokolyEffect, SchokolyView, ScoredGroup } from './wire';

// A column and a row as text, with a proper minus sign.
export function place({ x, y }: { x: number; y: number }): { x: string; y: string } {
  const format = (at: number) => (at < 0 ? `−${-at}` : String(at));
  return { x: format(x), y: format(y) };
}

// "2 dark, 1 milk"
export function piecesWords(pieces: string): string {
  return KINDS.flatMap((kind) => {
    const n = countPieces(pieces, kind);
    return n ? [t(`schokoly.pieces.${kind}`, { n })] : [];
  }).join(', ');
}

// Which piece is where, row by row.
export function describeCard(pieces: string): string {
  if (pieces === '?') return t('schokoly.hidden');
  const [a, b, c, d] = [...pieces].map((kind) => t(`schokoly.kind.${kind}`));
  return t('schokoly.card', { a: a!, b: b!, c: c!, d: d! });
}

export function cardLabel(card: Card): string {
  const at = t(card.level === 2 ? 'schokoly.at-2' : 'schokoly.at', place(card));
  return [at, describeCard(card.pieces), ...(card.token ? [t('schokoly.has-token')] : [])].join('; ');
}

export function describeMove(one: Move, who: string, names: string[] = []): string {
  const move = moveOf(one);
  const other = move.kind === 'offer' ? (names[move.seat] ?? String(move.seat + 1)) : '';
  switch (move.kind) {
    case 'kind':
      return t(`schokoly.chose.${move.of}`, { who });
    case 'lay':
      return t(move.level === 2 ? 'schokoly.stacked' : 'schokoly.laid', {
        who,
        card: piecesWords(move.card),
        ...place(move),
      });
    case 'token':
      return t('schokoly.secured', { who, ...place(move) });
    case 'no-token':
      return t('schokoly.not-secured', { who });
    case 'pass':
      return t('schokoly.passed', { who });
    case 'offer':
      return move.card
        ? t('schokoly.offered-card', { who, card: piecesWords(move.card), other })
        : t('schokoly.offered', { who, n: move.number ?? 0, other });
    case 'answer':
      return move.card
        ? t('schokoly.answered-card', { who, card: piecesWords(move.card) })
        : t('schokoly.answered', { who, n: move.number ?? 0 });
    case 'accept':
      return t('schokoly.accepted', { who });
    case 'decline':
      return t('schokoly.declined', { who });
    case 'start':
      return t('play.seat-starts', { n: move.seat + 1 });
    case 'draw':
      return move.card ? t('schokoly.dealt-card', { card: piecesWords(move.card) }) : t('schokoly.dealt');
  }
}

// What is known before a ply: enough to say what has changed.
interface Known {
  kinds: (string | null)[];
  points: number[];
  viewer: number | null; // the seat that is addressed
}

type Only<T extends SchokolyEffect['type']> = Extract<SchokolyEffect, { type: T }>;

function find<T extends SchokolyEffect['type']>(effects: readonly Effect[], type: T): Only<T> | undefined {
  return effects.find((effect) => effect.type === type) as Only<T> | undefined;
}

export const touchedEdges = (effects: readonly Effect[]): Only<'touched'>[] =>
  (effects as SchokolyEffect[]).filter((effect) => effect.type === 'touched');

export const pointsAfter = (effects: readonly Effect[]): number[] | null =>
  find(effects, 'points-changed')?.points ?? null;

export const newGroups = (effects: readonly Effect[]): ScoredGroup[] => find(effects, 'groups-changed')?.new ?? [];

function pointFacts({ kinds, points, viewer }: Known, after: number[]): Fact[] {
  const mine = viewer === null ? null : kinds[viewer];
  const facts: Fact[] = [];
  for (const kind of KINDS) {
    const seat = kinds.indexOf(kind);
    if (seat < 0) continue;
    const values = { from: points[seat] ?? 0, to: after[seat] ?? 0 };
    const gain = values.to - values.from;
    if (kind === mine) {
      const team = kinds.filter((one) => one === kind).length > 1;
      const tone = gain > 0 ? 'good' : gain < 0 ? 'bad' : 'plain';
      facts.unshift({ tone, text: t(team ? 'schokoly.team-points' : 'schokoly.own-points', values) });
    } else if (gain) {
      const tone = mine === null ? 'plain' : gain > 0 ? 'bad' : 'good';
      facts.push({ tone, text: t(`schokoly.points-of.${kind}`, values) });
    }
  }
  return facts;
}

const keysOf = (group: ScoredGroup) => new Set(group.cells.map(([x, y]) => cellKey(x, y)));
const meets = (group: ScoredGroup, cells: Set<string>) => group.cells.some(([x, y]) => cells.has(cellKey(x, y)));
const meeting = (group: ScoredGroup, others: ScoredGroup[]) => {
  const cells = keysOf(group);
  return others.filter((one) => one.kind === group.kind && meets(one, cells));
};

// Groups that the card has joined, enlarged or cut.
function groupFacts({ old, new: now }: Only<'groups-changed'>, laid: Laid): Fact[] {
  const placed = cellKeys([laid]);
  const texts: string[] = [];
  for (const group of now.filter((one) => meets(one, placed))) {
    const joined = meeting(group, old);
    const from = Math.max(0, ...joined.map((one) => one.size));
    if (joined.length > 1) texts.push(t(`schokoly.joins.${group.kind}`, { n: joined.length, to: group.size }));
    else if (from && from !== group.size) texts.push(t(`schokoly.group.${group.kind}`, { from, to: group.size }));
  }
  for (const group of old.filter((one) => one.size > 1 && meets(one, placed))) {
    const to = Math.max(0, ...meeting(group, now).map((one) => one.size));
    if (to < group.size) texts.push(t(`schokoly.group.${group.kind}`, { from: group.size, to }));
  }
  return texts.map((text) => ({ tone: 'plain', text }));
}

// Neutral groups that change hands.
function neutralFacts({ kinds, viewer }: Known, { old, new: now }: Only<'groups-changed'>): Fact[] {
  const mine = viewer === null ? null : kinds[viewer];
  const facts: Fact[] = [];
  for (const group of now.filter((one) => Object.keys(one.contacts).length)) {
    const was = meeting(group, old).find((one) => one.scores)?.seat ?? null;
    const is = group.scores ? group.seat : null;
    if (was === is) continue;
    const kind = is === null ? null : kinds[is];
    if (!kind) facts.push({ tone: 'plain', text: t('schokoly.neutral-nobody', { n: group.size }) });
    else if (kind === mine) facts.push({ tone: 'good', text: t('schokoly.neutral-own', { n: group.size }) });
    else facts.push({ tone: mine ? 'bad' : 'plain', text: t(`schokoly.neutral.${kind}`, { n: group.size }) });
  }
  return facts;
}

// What a card on the table changes.
function layFacts(known: Known, laid: Laid, effects: readonly Effect[]): Fact[] {
  const facts = pointFacts(known, pointsAfter(effects) ?? known.points);
  const changed = find(effects, 'groups-changed');
  if (changed) facts.push(...neutralFacts(known, changed), ...groupFacts(changed, laid));
  const covered = (effects as SchokolyEffect[])
    .map((effect) => (effect.type === 'covered' ? effect.kind : ''))
    .join('');
  if (covered) facts.push({ tone: 'plain', text: t('schokoly.covers', { card: piecesWords(covered) }) });
  return facts;
}

function factsOf(known: Known, effects: readonly Effect[]): Fact[] {
  const laid = find(effects, 'laid');
  if (laid) return layFacts(known, laid, effects);
  // The number that a swap announces: how many pieces of the other player's kind the card has.
  const said = find(effects, 'offered') ?? find(effects, 'answered');
  const kind = said && known.kinds[said.to];
  if (!kind || !said.card) return [];
  return [{ tone: 'plain', text: t('schokoly.says', { pieces: t(`schokoly.pieces.${kind}`, { n: said.number }) }) }];
}

// What a move does, in short sentences.
export function explain({ effects = [] }: Preview, view: SchokolyView): Fact[] {
  const viewer = view.viewer !== null && view.viewer >= 0 ? view.viewer : null;
  const facts = factsOf({ ...view, viewer }, effects);
  if (find(effects, 'secured')) facts.push({ tone: 'plain', text: t('schokoly.keeps') });
  const touching = touchedEdges(effects);
  if (touching.length) {
    const same = touching.filter((touch) => touch.same).length;
    facts.push({ tone: 'plain', text: t('schokoly.edges', { n: touching.length, same }) });
  }
  const spent = find(effects, 'token-spent');
  if (spent) facts.push({ tone: 'plain', text: t('schokoly.costs', { n: (view.tokens[spent.seat] ?? 1) - 1 }) });
  return facts;
}

// What each ply of a game did, as far as the effects know.
export function plyFacts(plies: readonly Ply[], names: string[]): Fact[][] {
  const known: Known = { kinds: [], points: [], viewer: null };
  return plies.map(({ effects }) => {
    for (const effect of effects as SchokolyEffect[])
      if (effect.type === 'kind-chosen') known.kinds[effect.seat] = effect.kind;
    const facts = [...factsOf(known, effects), ...swapFacts(effects, names)];
    known.points = pointsAfter(effects) ?? known.points;
    return facts;
  });
}

function swapFacts(effects: readonly Effect[], names: string[]): Fact[] {
  const swapped = find(effects, 'swapped');
  if (!swapped) return [];
  const got: [number, string | null][] = [
    [swapped.seat, swapped.got],
    [swapped.partner, swapped.given],
  ];
  return got.flatMap(([seat, card]): Fact[] =>
    card ? [{ tone: 'plain', text: t('schokoly.gets', { who: names[seat] ?? '', card: piecesWords(card) }) }] : [],
  );
}
