// Moves of Schokoly in words: what was played, what a move would do, why it is illegal.
import type { Effect, Group, Preview, WireError } from '../../lib/types';
import { coveredPieces, groupsAfter, pointsAfter, touchedEdges } from './afterLay';
import type { Card, SchokolyView } from './view';
import type { Fact } from '../types';
import { hasTranslation, t } from '../../lib/i18n.svelte';
import { cellKeys, cellKey } from './geometry';
import { countPieces, KINDS, parseMove, type Lay } from './moves';

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

export function describeMove(text: string, who: string, names: string[] = []): string {
  const move = parseMove(text);
  switch (move.what) {
    case 'kind':
      return t(`schokoly.chose.${move.kind}`, { who });
    case 'lay':
      return t(move.level === 2 ? 'schokoly.stacked' : 'schokoly.laid', {
        who,
        card: piecesWords(move.pieces),
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
        ? t('schokoly.offered-card', {
            who,
            card: piecesWords(move.card),
            other: names[move.seat] ?? String(move.seat + 1),
          })
        : t('schokoly.offered', { who, n: move.number ?? 0, other: names[move.seat] ?? String(move.seat + 1) });
    case 'answer':
      return move.card
        ? t('schokoly.answered-card', { who, card: piecesWords(move.card) })
        : t('schokoly.answered', { who, n: move.number ?? 0 });
    case 'accept':
      return move.card
        ? t('schokoly.accepted-card', { who, card: piecesWords(move.card) })
        : t('schokoly.accepted', { who });
    case 'decline':
      return t('schokoly.declined', { who });
    case 'deal':
      return move.card ? t('schokoly.dealt-card', { card: piecesWords(move.card) }) : t('schokoly.dealt');
    default:
      return who ? `${who}: ${text}` : text;
  }
}

// A rule may forbid a move for several reasons; the text of the server shows which one it is
// (tests/web/test_server_texts.py checks these patterns).
const REASONS: [RegExp, string][] = [
  [/not all empty/, 'SC-20-full'],
  [/none is left/, 'SC-31-token'],
  [/no overhang/, 'SC-31-hole'],
  [/cannot be covered/, 'SC-31-guarded'],
  [/two different cards/, 'SC-31-one'],
  [/carries a token/, 'SC-35-has'],
  [/completely covered/, 'SC-35-covered'],
  [/top left piece/, 'SC-35-none'],
  [/holds no/, 'SC-14-hand'],
  [/may not pass/, 'SC-41-can'],
];

export function refusalText(error: WireError): string {
  const rule = REASONS.find(([words]) => words.test(error.text))?.[1] ?? error.rule ?? '';
  return hasTranslation(`schokoly.why.${rule}`) ? t(`schokoly.why.${rule}`) : error.text;
}

const own = (view: SchokolyView): number | null => (view.viewer !== null && view.viewer >= 0 ? view.viewer : null);

function pointFacts(view: SchokolyView, after: number[]): Fact[] {
  const me = own(view);
  const mine = me === null ? null : view.kinds[me];
  const facts: Fact[] = [];
  for (const kind of KINDS) {
    const seat = view.kinds.indexOf(kind);
    if (seat < 0) continue;
    const values = { from: view.points[seat]!, to: after[seat]! };
    const gain = values.to - values.from;
    if (kind === mine) {
      const team = view.kinds.filter((one) => one === kind).length > 1;
      const tone = gain > 0 ? 'good' : gain < 0 ? 'bad' : 'plain';
      facts.unshift({ tone, text: t(team ? 'schokoly.team-points' : 'schokoly.own-points', values) });
    } else if (gain) {
      const tone = mine === null ? 'plain' : gain > 0 ? 'bad' : 'good';
      facts.push({ tone, text: t(`schokoly.points-of.${kind}`, values) });
    }
  }
  return facts;
}

const meets = (group: Group, cells: Set<string>) => group.cells.some(([x, y]) => cells.has(cellKey(x, y)));
const keysOf = (group: Group) => new Set(group.cells.map(([x, y]) => cellKey(x, y)));

function groupFacts(before: Group[], after: Group[], lay: Lay): Fact[] {
  const facts: Fact[] = [];
  const placed = cellKeys([lay]);
  for (const group of after) {
    if (!meets(group, placed)) continue;
    const cells = keysOf(group);
    const joined = before.filter((one) => one.kind === group.kind && meets(one, cells));
    const from = Math.max(0, ...joined.map((one) => one.size));
    if (joined.length > 1)
      facts.push({ tone: 'plain', text: t(`schokoly.joins.${group.kind}`, { n: joined.length, to: group.size }) });
    else if (from && from !== group.size)
      facts.push({ tone: 'plain', text: t(`schokoly.group.${group.kind}`, { from, to: group.size }) });
  }
  for (const group of before) {
    if (group.size < 2 || !meets(group, placed)) continue;
    const cells = keysOf(group);
    const rest = after.filter((one) => one.kind === group.kind && meets(one, cells));
    const [from, to] = [group.size, Math.max(0, ...rest.map((one) => one.size))];
    if (to < from) facts.push({ tone: 'plain', text: t(`schokoly.group.${group.kind}`, { from, to }) });
  }
  return facts;
}

// Neutral groups that change hands.
function neutralFacts(view: SchokolyView, after: Group[]): Fact[] {
  const mine = own(view) === null ? null : view.kinds[own(view)!];
  const facts: Fact[] = [];
  for (const group of after) {
    if (!Object.keys(group.contacts).length) continue;
    const cells = keysOf(group);
    const was = view.groups.find((one) => one.kind === group.kind && meets(one, cells) && one.scores)?.seat ?? null;
    const is = group.scores ? group.seat : null;
    if (was === is) continue;
    const kind = is === null ? null : view.kinds[is];
    if (!kind) facts.push({ tone: 'plain', text: t('schokoly.neutral-nobody', { n: group.size }) });
    else if (kind === mine) facts.push({ tone: 'good', text: t('schokoly.neutral-own', { n: group.size }) });
    else facts.push({ tone: mine ? 'bad' : 'plain', text: t(`schokoly.neutral.${kind}`, { n: group.size }) });
  }
  return facts;
}

function layFacts(view: SchokolyView, lay: Lay, effects: Effect[]): Fact[] {
  const touching = touchedEdges(effects);
  const after = groupsAfter(view, effects);
  const facts = pointFacts(view, pointsAfter(effects) ?? view.points);
  facts.push(...neutralFacts(view, after), ...groupFacts(view.groups, after, lay));
  if (touching.length) {
    const same = touching.filter((touch) => touch.same).length;
    facts.push({ tone: 'plain', text: t('schokoly.edges', { n: touching.length, same }) });
  }
  if (lay.level === 2) {
    facts.push({ tone: 'plain', text: t('schokoly.covers', { card: piecesWords(coveredPieces(effects)) }) });
    const left = view.seat === null ? 1 : view.tokens[view.seat]!;
    facts.push({ tone: 'plain', text: t('schokoly.costs', { n: left - 1 }) });
  }
  return facts;
}

// What a move does, or why it is illegal, in short sentences.
export function explain(preview: Preview, view: SchokolyView): Fact[] {
  if (!preview.legal) return preview.error ? [{ tone: 'bad', text: refusalText(preview.error) }] : [];
  const move = parseMove(preview.move);
  if (move.what === 'lay') return layFacts(view, move, preview.effects ?? []);
  if (move.what === 'token') return [{ tone: 'plain', text: t('schokoly.keeps') }];
  if ((move.what !== 'offer' && move.what !== 'answer') || !move.card) return [];
  // The number that a swap announces: how many pieces of the other player's kind the card has.
  const other = move.what === 'offer' ? move.seat : view.seat;
  const kind = (other !== null && view.kinds[other]) || 'D';
  const pieces = t(`schokoly.pieces.${kind}`, { n: countPieces(move.card, kind) });
  return [{ tone: 'plain', text: t('schokoly.says', { pieces }) }];
}
