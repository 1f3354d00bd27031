// Moves of both Azul editions in words: what was played, what a move would do, and why it is illegal.
import type { AzulView, Effects, GameName, Preview } from '../../lib/types';
import type { Fact } from '../types';
import { t } from '../../lib/i18n.svelte';
import { count, piles, takeIn, tilesAt, parseMove } from './moves';

export { azulFrames } from './frames';

const withMinusSign = (points: number) => (points < 0 ? `−${-points}` : String(points));

function tilesOf(game: GameName, tiles: string): string {
  return piles(tiles)
    .map(({ letter, n }) => t(`azul.tiles.${game}.${letter}`, { n }))
    .join(', ');
}

function colours(letters: string): string {
  return [...letters].map((letter) => t(`azul.colour.${letter}`)).join(', ');
}

export function describeMove(game: GameName, move: string, who: string): string {
  const what = parseMove(move);
  switch (what.kind) {
    case 'take': {
      const shape = `${what.source === 'C' ? 'centre' : 'disc'}-${what.to === 'F' ? 'floor' : 'line'}`;
      const tiles = t(`azul.all.${game}.${what.colour}`);
      const sentences = [t(`azul.move.${game}.${shape}`, { who, tiles, n: what.source, line: what.to })];
      if (what.left) sentences.push(t('azul.passed.left', { colours: colours(what.left) }));
      if (what.right) sentences.push(t('azul.passed.right', { colours: colours(what.right) }));
      return sentences.join(' ');
    }
    case 'cell':
      return t(`azul.move.${game}.cell`, { who, line: what.row, column: what.column });
    case 'deal':
      return t(`azul.chance.${game}.deal`, { tiles: tilesOf(game, what.tiles) });
    case 'disc':
      return t(`azul.chance.${game}.disc`, { n: what.disc, special: t(`azul.disc.${what.special}`) });
    case 'extra':
      return t('azul.extra-tile', { tiles: tilesOf(game, what.colour) });
    case 'start':
      return t('azul.drawn', { n: what.seat });
    default:
      return move;
  }
}

// What a move does, or why it is illegal, in short sentences.
export function explain(game: GameName, preview: Preview, view: AzulView): Fact[] {
  if (!preview.legal) return [{ tone: 'bad', text: refusalText(game, preview, view) }];
  const effects = preview.effects ?? {};
  const what = parseMove(preview.move);
  if (what.kind === 'cell') return [points(effects)];
  if (what.kind !== 'take') return [];
  const facts: Fact[] = [];
  const placed = effects.placed ?? 0;
  if (placed) {
    const key = effects.completes ? 'full' : 'placed';
    facts.push({
      tone: effects.completes ? 'good' : 'plain',
      text: t(`azul.fact.${game}.${key}`, { n: placed, line: what.to }),
    });
  }
  facts.push(...falling(preview, view));
  if (effects.completes && effects.points === null) facts.push({ tone: 'good', text: t('azul.column-later') });
  else if (effects.completes) {
    facts.push({ tone: 'good', text: t(`azul.fact.${game}.points`, { n: Number(effects.points ?? 0) }) });
  }
  if (effects.tiling) facts.push({ tone: 'plain', text: t('azul.ends-round') });
  return facts;
}

function points(effects: Effects): Fact {
  return { tone: 'good', text: `+${t('azul.points', { n: Number(effects.points ?? 0) })}` };
}

// What goes to the floor line, with the penalty, and what a saucer catches.
function falling(preview: Preview, view: AzulView): Fact[] {
  const { placed = 0, fallen = 0, marker = false, penalty = 0 } = preview.effects ?? {};
  const take = takeIn(preview.move);
  const board = view.boards[view.seat ?? 0];
  const facts: Fact[] = [];
  const caughtMarker = marker && board?.saucer === '';
  const number = take ? count(tilesAt(view, take.source), take.colour) : 0;
  if (caughtMarker) facts.push({ tone: 'good', text: t('azul.caught-marker') });
  else if (number > placed + fallen) facts.push({ tone: 'good', text: t('azul.caught') });
  const cost = { points: penalty ? withMinusSign(penalty) : t('azul.free') };
  const tone = penalty ? 'bad' : 'plain';
  const withMarker = marker && !caughtMarker;
  if (withMarker && fallen) facts.push({ tone, text: t('azul.marker-fallen', { n: fallen, ...cost }) });
  else if (withMarker) facts.push({ tone, text: t('azul.with-marker', cost) });
  else if (fallen) facts.push({ tone, text: t('azul.fallen', { n: fallen, ...cost }) });
  return facts;
}

function refusalText(game: GameName, { move, error }: Preview, view: AzulView): string {
  const what = parseMove(move);
  const rule = error?.rule ?? '';
  const why = (reason: string, values = {}) => t(`azul.why.${game}.${reason}`, values);
  const no = (reason: string) => t(`azul.no.${reason}`);
  const board = view.boards[view.seat ?? 0];
  if (rule === 'AZ-30') return no('over');
  if (['AZ-4', 'AZ-10', 'MC-2', 'MC-3'].includes(rule)) return no('chance');
  if (what.kind === 'take') {
    const line = what.to;
    const held = board?.lines[+line - 1] ?? '';
    if (rule === 'AZ-15' && held.length >= +line) return why('full', { line });
    if (rule === 'AZ-15' && held) return why('other', { line, tiles: t(`azul.all.${game}.${held[0]}`) });
    if (rule === 'AZ-16') return why('shown', { line });
    if (rule === 'AZ-12' || rule === 'AZ-13') return no('absent');
    if (rule === 'AZ-1') return no('factory');
    if (rule === 'MC-7') return no('sides');
    if (rule === 'AZ-50') return no('tiling');
  }
  if (what.kind === 'cell') {
    if (rule === 'AZ-12') return why('offer');
    const due = (board?.lines ?? []).findIndex((line, at) => line.length > at) + 1;
    if (rule === 'AZ-50' && due !== what.row) return why('order', { line: due });
    if (rule === 'AZ-50') return no(board?.wall[what.row - 1]?.[what.column - 1] === '.' ? 'column' : 'taken');
  }
  return error?.text ?? '';
}
