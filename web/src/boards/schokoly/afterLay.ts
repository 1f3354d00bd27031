// What a card on the table does, read from its effects.
import type { Effect } from '../../lib/types';
import type { SchokolyEffect, ScoredGroup, Touched } from './effects';
import type { SchokolyView } from './view';

export const touchedEdges = (effects: Effect[]): Touched[] =>
  (effects as SchokolyEffect[]).filter((effect) => effect.type === 'touched');

export function pointsAfter(effects: Effect[]): number[] | null {
  return (effects as SchokolyEffect[]).find((effect) => effect.type === 'points-changed')?.points ?? null;
}

export const newGroups = (effects: Effect[]): ScoredGroup[] =>
  (effects as SchokolyEffect[]).find((effect) => effect.type === 'groups-changed')?.new ?? [];

// All groups after it: those that stay as they are, and the changed ones.
export function groupsAfter(view: SchokolyView, effects: Effect[]): ScoredGroup[] {
  const changed = (effects as SchokolyEffect[]).find((effect) => effect.type === 'groups-changed');
  const gone = new Set(changed?.old.map((group) => `${group.kind} ${group.cells.join(' ')}`));
  const kept = view.groups.filter((group) => !gone.has(`${group.kind} ${group.cells.join(' ')}`));
  return [...kept, ...(changed?.new ?? [])];
}

// The kinds of the pieces that it covers.
export const coveredPieces = (effects: Effect[]): string =>
  (effects as SchokolyEffect[]).map((effect) => (effect.type === 'covered' ? effect.kind : '')).join('');
