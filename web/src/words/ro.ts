import type { Catalogue } from '../lib/words.svelte';
import azul from './ro/azul.json';
import page from './ro/page.json';
import play from './ro/play.json';
import replay from './ro/replay.json';
import schokoly from './ro/schokoly.json';
import spoken from './ro/spoken.json';

export default { ...page, ...play, ...azul, ...schokoly, ...replay, ...spoken } satisfies Catalogue as Catalogue;
