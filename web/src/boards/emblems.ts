import type { Component } from 'svelte';
import type { GameName } from '../lib/types';
import { partsByFamily } from './registry';

// Small drawings of the games, made of their pieces, for tours and rules.
export const EMBLEMS = partsByFamily(
  import.meta.glob<Component<{ game: GameName }>>('./*/Emblem.svelte', { eager: true, import: 'default' }),
);
