import type { Component } from 'svelte';
import type { GameDrawings } from '../drawings';
import Art from './Art.svelte';
import Figure from './Figure.svelte';
import { type CardsDrawing, FIGURES } from './figures';

export default {
  Definitions: Art as Component,
  Figure,
  figures: FIGURES,
  broad: true,
} satisfies GameDrawings<CardsDrawing>;
