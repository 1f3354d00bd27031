import type { Component } from 'svelte';
import type { GameName } from '../lib/types';
import { partsByFamily } from './registry';

// Small pictures of the games, for the front page and lists of tables.
export const PICTURES = partsByFamily(
  import.meta.glob<Component<{ game: GameName }>>('./*/Picture.svelte', { eager: true, import: 'default' }),
);
