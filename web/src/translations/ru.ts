import type { Translations } from './types';
import azul from './ru/azul.json';
import page from './ru/page.json';
import play from './ru/play.json';
import replay from './ru/replay.json';
import schokoly from './ru/schokoly.json';
import spoken from './ru/spoken.json';

export default { ...page, ...play, ...azul, ...schokoly, ...replay, ...spoken } satisfies Translations as Translations;
