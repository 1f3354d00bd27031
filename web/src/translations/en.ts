import type { Translations } from './types';
import azul from './en/azul.json';
import page from './en/page.json';
import play from './en/play.json';
import replay from './en/replay.json';
import schokoly from './en/schokoly.json';
import spoken from './en/spoken.json';

export default { ...page, ...play, ...azul, ...schokoly, ...replay, ...spoken } satisfies Translations as Translations;
