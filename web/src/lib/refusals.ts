// Refusals in the user's language. A refusal is a fact, a code with arguments; the sentences are in `refusals.json` of
// each language, and the placeholders in them are the names of the arguments. A key that ends with the name of a game
// replaces the general one where an edition has other words, such as plates for factories.
import type { GameName } from './types';
import { formatNumber, hasTranslation, language, t } from './i18n.svelte';

export type Argument = string | number | null;

export interface Refusal {
  code: string;
  text: string; // in English, for codes that are newer than this page
  arguments?: Record<string, Argument>;
  line?: number | null; // of a text, from 1
  column?: number | null;
}

// How a game puts arguments into words: colours, kinds, places and so on, by the name of the argument.
export type RefusalWords = Record<string, (value: string) => string>;

// The values of these arguments are codes with phrases of their own, which may contain other arguments.
const PHRASES = ['what', 'expected', 'due', 'option', 'offer', 'limit'];
// The part of something larger that was refused; any refusal may have one of these arguments.
const PARTS = ['in_tag', 'in_move', 'in_ply', 'in_variant'];
const FROM_ZERO = ['seat', 'line', 'column', 'due_line', 'place', 'choosing', 'index', 'last', 'in_ply', 'at', 'deal'];
const ACTORS = ['actor', 'by', 'viewer', 'wanted'];
const QUOTED = ['text', 'character', 'format', 'in_move', 'in_variant'];
const LISTS = ['words', 'games', 'options', 'values', 'numbers'];

// In quotes, with characters that nobody would see (or that turn the text around) written out, and marks without letter.
const quoted = (text: string) =>
  t('refusals.quoted', {
    text: text.replace(
      /[\p{C}\p{Zl}\p{Zp}\p{DI}\u2800\u{1d159}]|^\p{M}/gu,
      (sign) => `\\u${sign.codePointAt(0)!.toString(16).padStart(4, '0')}`,
    ),
  });

function actor(value: Argument): string {
  return typeof value === 'number' ? t('refusals.actor.seat', { n: value + 1 }) : t(`refusals.actor.${value}`);
}

function found(value: string): string {
  const key = `refusals.found.${value}`;
  return hasTranslation(key) ? t(key) : quoted(value);
}

function inWords(name: string, value: Argument, words: RefusalWords): string {
  const own = words[name];
  if (own) return own(String(value));
  if (ACTORS.includes(name)) return actor(value);
  if (typeof value === 'number') return formatNumber(FROM_ZERO.includes(name) ? value + 1 : value);
  const text = String(value ?? '');
  if (name === 'found') return found(text);
  if (QUOTED.includes(name)) return quoted(text);
  return LISTS.includes(name) ? text.split(' ').join(', ') : text;
}

function keyOf(key: string, game: GameName): string {
  const special = `${key}.${game}`;
  return game && hasTranslation(special) ? special : key;
}

const asSentence = (text: string) => `${text.charAt(0).toLocaleUpperCase(language())}${text.slice(1)}.`;

// Why something was refused, as a sentence; with the place if it is about a text.
export function refusalText(error: Refusal, game: GameName = '', words: RefusalWords = {}): string {
  const values: Record<string, string> = {};
  const facts = Object.entries(error.arguments ?? {});
  for (const [name, value] of facts) values[name] = inWords(name, value, words);
  const used = [`refusals.${error.code}`];
  for (const [name, value] of facts.filter(([name]) => PHRASES.includes(name))) {
    const key = `refusals.${name}.${value}`;
    used.push(key);
    values[name] = t(keyOf(key, game), values);
  }
  if (!used.every(hasTranslation)) return error.text;
  let reason = t(keyOf(`refusals.${error.code}`, game), values);
  for (const part of PARTS.filter((name) => name in values)) reason = t(`refusals.${part}`, { ...values, reason });
  if (error.line && error.column) reason = t('refusals.place', { line: error.line, column: error.column, reason });
  return asSentence(reason);
}
