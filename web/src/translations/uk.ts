import type { Translations } from './types';
import azul from './uk/azul.json';
import page from './uk/page.json';
import play from './uk/play.json';
import replay from './uk/replay.json';
import schokoly from './uk/schokoly.json';
import spoken from './uk/spoken.json';

export default { ...page, ...play, ...azul, ...schokoly, ...replay, ...spoken } satisfies Translations as Translations;
