// The figures of the rules.
import type { Component } from 'svelte';
import type { GameName } from '../lib/types';
import { partsByFamily } from './registry';

export interface GameDrawings<D> {
  Definitions: Component<{ game: GameName }>; // the drawings of its pieces, used by id: once on every page with figures
  Figure: Component<{ drawing: D; game: GameName }>;
  figures: Record<string, D[]>; // by the names that the rules use
  broad: boolean; // whether its figures are broad
}

export const DRAWINGS = partsByFamily(
  import.meta.glob<GameDrawings<unknown>>('./*/drawings.ts', { eager: true, import: 'default' }),
);
