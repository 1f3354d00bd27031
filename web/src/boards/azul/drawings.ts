import type { GameDrawings } from '../drawings';
import Definitions from './Defs.svelte';
import Figure from './Figure.svelte';
import { FIGURES, type TilesDrawing } from './figures';

export default {
  Definitions,
  Figure,
  figures: FIGURES,
  broad: false,
} satisfies GameDrawings<TilesDrawing>;
