// Moves of both Azul editions in words: what was played, and what a move would do.
import { t } from '../../lib/i18n.svelte';
import type { GameName, Move, Ply, Preview } from '../../lib/types';
import type { Fact } from '../types';
import { colourName, discName } from './edition';
import { moveOf, piles } from './moves';
import type { AzulEffect } from './wire';

const withMinusSign = (points: number) => (points < 0 ? `−${-points}` : String(points));

function tilesOf(game: GameName, tiles: string): string {
  return piles(tiles)
    .map(({ letter, n }) => t(`azul.tiles.${game}.${letter}`, { n }))
    .join(', ');
}

function colours(game: GameName, letters: string): string {
  return [...letters].map((letter) => t(`azul.colour.${colourName(game, letter)}`)).join(', ');
}

export function describeMove(game: GameName, move: Move, who: string): string {
  const what = moveOf(move);
  switch (what.kind) {
    case 'take': {
      const shape = `${what.source ? 'disc' : 'centre'}-${what.line === null ? 'floor' : 'line'}`;
      const tiles = t(`azul.tiles.${game}.${what.colour}`, { n: what.number });
      const values = { who, tiles, n: what.source, line: (what.line ?? 0) + 1 };
      const sentences = [t(`azul.move.${game}.${shape}`, values)];
      if (what.left) sentences.push(t('azul.passed.left', { colours: colours(game, what.left) }));
      if (what.right) sentences.push(t('azul.passed.right', { colours: colours(game, what.right) }));
      return sentences.join(' ');
    }
    case 'cell':
      return t(`azul.move.${game}.cell`, { who, line: what.line + 1, column: what.column + 1 });
    case 'deal':
      return t(`azul.chance.${game}.deal`, { tiles: tilesOf(game, what.tiles) });
    case 'disc':
      return t(`azul.chance.${game}.disc`, { n: what.source, special: t(`azul.disc.${discName(game, what.disc)}`) });
    case 'extra':
      return t('azul.extra-tile', { tiles: tilesOf(game, what.colour) });
    case 'start':
      return t('play.seat-starts', { n: what.seat + 1 });
  }
}

// What a move does, in short sentences.
export function explain(game: GameName, { move, effects = [] }: Preview): Fact[] {
  return move ? factsOf(game, move, effects as AzulEffect[]) : [];
}

// What each ply did, beyond what the sentence about its move says.
export const plyFacts = (game: GameName, plies: readonly Ply[]): Fact[][] =>
  plies.map(({ move, effects }) => factsOf(game, move, effects as AzulEffect[], true));

function factsOf(game: GameName, [kind]: Move, effects: AzulEffect[], brief = false): Fact[] {
  if (kind === 'cell') return cellFacts(effects);
  return kind === 'take' ? takeFacts(game, effects, brief) : [];
}

function cellFacts(effects: AzulEffect[]): Fact[] {
  const tiled = effects.find((effect) => effect.type === 'tiled');
  if (!tiled) return [];
  const { across, down, points } = tiled;
  const parts = across && down ? ` (${t('azul.across-down', { across, down })})` : '';
  return [{ tone: 'good', text: `+${t('azul.points', { n: points })}${parts}` }];
}

function takeFacts(game: GameName, effects: AzulEffect[], brief: boolean): Fact[] {
  const facts: Fact[] = [];
  const placed = effects.find((effect) => effect.type === 'placed');
  const taken = effects.find((effect) => effect.type === 'taken');
  if (placed && !(brief && !placed.full && placed.number === taken?.number)) {
    const values = { n: placed.number, line: placed.line + 1 };
    const [tone, key] = placed.full ? (['good', 'full'] as const) : (['plain', 'placed'] as const);
    facts.push({ tone, text: t(`azul.fact.${game}.${key}`, values) });
  }
  facts.push(...falling(effects));
  const isLater = placed?.full && placed.points === null;
  if (isLater && !brief) facts.push({ tone: 'good', text: t('azul.column-later') });
  else if (placed?.full && !isLater)
    facts.push({ tone: 'good', text: t(`azul.fact.${game}.points`, { n: placed.points ?? 0 }) });
  if (effects.some((effect) => effect.type === 'offer-ended'))
    facts.push({ tone: 'plain', text: t('azul.ends-round') });
  return facts;
}

// What goes to the floor line, with its cost, and what a saucer catches.
function falling(effects: AzulEffect[]): Fact[] {
  const marker = effects.find((effect) => effect.type === 'marker-taken');
  const fell = effects.filter((effect) => effect.type === 'fell').find((effect) => effect.line === null);
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
