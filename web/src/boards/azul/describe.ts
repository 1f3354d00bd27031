// Moves of both Azul editions in words: what was played, what a move would do, and why it is illegal.
import type { GameName, Preview } from '../../lib/types';
import type { AzulEffect, Fell } from './effects';
import type { AzulView } from './view';
import type { Fact } from '../types';
import { t } from '../../lib/i18n.svelte';
import { piles, parseMove } from './moves';

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
  const effects = (preview.effects ?? []) as AzulEffect[];
  const what = parseMove(preview.move);
  if (what.kind === 'cell') {
    const n = effects.find((effect) => effect.type === 'tiled')?.points ?? 0;
    return [{ tone: 'good', text: `+${t('azul.points', { n })}` }];
  }
  if (what.kind !== 'take') return [];
  const facts: Fact[] = [];
  const placed = effects.find((effect) => effect.type === 'placed');
  if (placed) {
    const values = { n: placed.number, line: placed.line + 1 };
    const [tone, key] = placed.full ? (['good', 'full'] as const) : (['plain', 'placed'] as const);
    facts.push({ tone, text: t(`azul.fact.${game}.${key}`, values) });
  }
  facts.push(...falling(effects));
  if (placed?.full && placed.points === null) facts.push({ tone: 'good', text: t('azul.column-later') });
  else if (placed?.full) facts.push({ tone: 'good', text: t(`azul.fact.${game}.points`, { n: placed.points ?? 0 }) });
  if (effects.some((effect) => effect.type === 'offer-ended'))
    facts.push({ tone: 'plain', text: t('azul.ends-round') });
  return facts;
}

// What goes to the floor line, with its cost, and what a saucer catches.
function falling(effects: AzulEffect[]): Fact[] {
  const marker = effects.find((effect) => effect.type === 'marker-taken');
  const fell = effects.find((effect) => effect.type === 'fell' && effect.line === null) as Fell | undefined;
  const facts: Fact[] = [];
  if (marker?.to === 'saucer') facts.push({ tone: 'good', text: t('azul.caught-marker') });
  else if (fell?.saucer) facts.push({ tone: 'good', text: t('azul.caught') });
  const n = (fell?.floor ?? 0) + (fell?.lid ?? 0);
  const cost = (marker?.cost ?? 0) + (fell?.cost ?? 0);
  const values = { n, points: cost ? withMinusSign(-cost) : t('azul.free') };
  const tone = cost ? 'bad' : 'plain';
  if (marker && marker.to !== 'saucer') {
    facts.push({ tone, text: t(n ? 'azul.marker-fallen' : 'azul.with-marker', values) });
  } else if (n) facts.push({ tone, text: t('azul.fallen', values) });
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
