import type { Translations } from './types';
import azul from './ro/azul.json';
import page from './ro/page.json';
import play from './ro/play.json';
import replay from './ro/replay.json';
import schokoly from './ro/schokoly.json';
import spoken from './ro/spoken.json';

export default { ...page, ...play, ...azul, ...schokoly, ...replay, ...spoken } satisfies Translations as Translations;
