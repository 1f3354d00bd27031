// The end of a round as a sequence of frames, one for each effect that is worth a look.
import type { Effect, GameName } from '../../lib/types';
import type { Frame, RoundSummary } from '../types';
import type { AzulEffect, AzulView } from './wire';
import { t } from '../../lib/i18n.svelte';
import { applyEffect } from './applyEffects';

const place = (seat: number, thing: string) => [`board:${seat + 1}:${thing}`];

// No frames if the round goes on without a tile on a wall.
export function azulFrames(before: AzulView, effects: readonly Effect[], after: AzulView, game: GameName): Frame[] {
  const all = effects as AzulEffect[];
  if (!all.some(isOfTiling)) return [];
  const frames: Frame[] = [];
  let view: AzulView = { ...before, phase: 'tiling', seat: null };
  let since: AzulEffect[] = [];
  for (const effect of all) {
    view = applyEffect(game, view, effect);
    since.push(effect);
    const part = effect.type === 'offer-ended' ? lastTake(all) : isOfTiling(effect) ? frameOf(effect, game) : null;
    if (!part) continue;
    frames.push({ ...part, view, effects: since });
    since = [];
  }
  return [...frames, { view: after, text: '', seat: null, points: null, at: [], effects: since }];
}

// What the tiling has brought each seat; null unless the effects end with the end of a round.
export function roundSummary(game: GameName, effects: readonly Effect[], seats: number): RoundSummary | null {
  const all = effects as AzulEffect[];
  const at = all.findLastIndex((effect) => effect.type === 'offer-ended');
  const [begin, ...tiling] = at < 0 ? [] : all.slice(at);
  if (begin?.type !== 'offer-ended' || !tiling.some(({ type }) => type === 'round-begun' || type === 'ended'))
    return null;
  const summary = Array.from({ length: seats }, (): RoundSummary['seats'][0] => ({ lines: [], points: 0 }));
  for (const effect of tiling.filter(isOfTiling)) {
    const { seat, text, points } = frameOf(effect, game);
    summary[seat ?? 0]!.lines.push(text);
    summary[seat ?? 0]!.points += points ?? 0;
  }
  return { round: begin.round, seats: summary };
}

const isOfTiling = (effect: AzulEffect) =>
  effect.type === 'tiled' ||
  effect.type === 'bonus' ||
  (effect.type === 'floor-scored' && effect.floor !== '') ||
  (effect.type === 'fell' && effect.line !== null);

type Part = Omit<Frame, 'view' | 'effects'>;

function lastTake(effects: AzulEffect[]): Part {
  const placed = effects.find((effect) => effect.type === 'placed');
  const taken = effects.find((effect) => effect.type === 'taken');
  const seat = taken?.seat ?? 0;
  const at = place(seat, placed ? `line:${placed.line + 1}` : 'floor');
  return { text: t('azul.last-taken'), seat, points: null, at };
}

function frameOf(effect: AzulEffect, game: GameName): Part {
  switch (effect.type) {
    case 'tiled': {
      const { seat, points, across, down } = effect;
      const line = effect.line + 1;
      const parts = across && down ? ` (${t('azul.across-down', { across, down })})` : '';
      const text = t(`azul.frame.${game}.tiled`, { line, n: points }) + parts;
      return { text, seat, points, at: place(seat, `wall:row:${line}`) };
    }
    case 'fell': {
      const text = t(`azul.frame.${game}.falls`, { line: (effect.line ?? 0) + 1 });
      return { text, seat: effect.seat, points: null, at: place(effect.seat, 'floor') };
    }
    case 'floor-scored': {
      const { seat, points } = effect;
      const cost = points < 0 ? `−${-points}` : '0';
      return { text: `${t(`azul.floor.${game}`)}: ${cost}`, seat, points, at: place(seat, 'floor') };
    }
    case 'bonus': {
      const { seat, points } = effect;
      return { text: t(`azul.bonus.${effect.what}`, { n: points }), seat, points, at: place(seat, 'wall') };
    }
    default:
      return { text: '', seat: null, points: null, at: [] };
  }
}
