// The end of a round as a sequence of frames, one for each effect that is worth a look.
import type { GameName } from '../../lib/types';
import type { AzulEffect } from './effects';
import type { AzulView } from './view';
import type { Frame } from '../types';
import { t } from '../../lib/i18n.svelte';
import { applyEffect } from './applyEffects';

const place = (seat: number, thing: string) => [`board:${seat + 1}:${thing}`];

// No frames if the round goes on without a tile on a wall.
export function azulFrames(before: AzulView, effects: AzulEffect[], after: AzulView, game: GameName): Frame[] {
  if (!effects.some(isOfTiling)) return [];
  const frames: Frame[] = [];
  let view: AzulView = { ...before, phase: 'tiling', seat: null };
  for (const effect of effects) {
    view = applyEffect(view, effect);
    if (effect.type === 'offer-ended') frames.push({ ...lastTake(effects), view });
    else if (isOfTiling(effect)) frames.push({ ...frameOf(effect, game), view });
  }
  return [...frames, { view: after, text: '', seat: null, points: null, at: [] }];
}

const isOfTiling = (effect: AzulEffect) =>
  effect.type === 'tiled' ||
  effect.type === 'bonus' ||
  (effect.type === 'floor-scored' && effect.floor !== '') ||
  (effect.type === 'fell' && effect.line !== null);

type Part = Omit<Frame, 'view'>;

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
      const { seat, points } = effect;
      const line = effect.line + 1;
      const text = t(`azul.frame.${game}.tiled`, { line, n: points });
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
