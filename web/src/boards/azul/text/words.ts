// Azul in words: piles of tiles, pattern lines, floor lines and choices.
import type { GameName } from '../../../lib/types';
import type { AzulView } from '../view';
import { t } from '../../../lib/i18n.svelte';
import { FLOOR, count, piles, takeIn, tilesAt } from '../moves';
import type { Part } from '../../text/types';

// "2 blue, 1 red"
export function pileWords(tiles: string): string {
  const words = piles(tiles).map(({ letter, n }) => t(`spoken.tiles.${letter}`, { n }));
  return words.length ? words.join(', ') : t('spoken.empty');
}

export function countsWords(counts: number[]): string {
  return pileWords([...'BYRKW'].map((letter, at) => letter.repeat(counts[at] ?? 0)).join(''));
}

export function sourceWords(game: GameName, source: string): string {
  return source === 'C' ? t('spoken.centre') : t(`spoken.factory.${game}`, { n: source });
}

export function takeWords(game: GameName, view: AzulView, pick: string): string {
  const [source, letter] = [pick[0]!, pick[1]!];
  const tiles = t(`spoken.tiles.${letter}`, { n: count(tilesAt(view, source), letter) });
  return `${sourceWords(game, source)}: ${tiles}`;
}

export function lineName(game: GameName, line: string): string {
  return line === FLOOR ? t(`spoken.floor.${game}`) : t(`spoken.line.${game}`, { n: line });
}

// What a pattern line holds: "blue, 1 of 2"
export function lineHolds(tiles: string, room: number): string {
  if (!tiles) return t('spoken.line-empty', { all: room });
  return t('spoken.line-holds', { colour: t(`spoken.colour.${tiles[0]}`), n: tiles.length, all: room });
}

export function floorHolds(floor: string): string {
  const all = [...floor].map((letter) => (letter === 'm' ? t('spoken.marker') : t(`spoken.colour.${letter}`)));
  return all.length ? all.join(', ') : t('spoken.empty');
}

const colours = (letters: string): string => [...letters].map((letter) => t(`spoken.colour.${letter}`)).join(', ');

export function passWords(sides: string): string {
  const take = takeIn(`1B1${sides}`);
  const [left, right] = [colours(take?.left ?? ''), colours(take?.right ?? '')];
  if (!right) return t('spoken.pass-left', { left });
  return left ? t('spoken.pass-both', { left, right }) : t('spoken.pass-right', { right });
}

export function choiceWords(game: GameName, view: AzulView, seat: number, part: Part): string {
  const { step, value } = part;
  if (step === 'take') return takeWords(game, view, value);
  if (step === 'pass') return passWords(value);
  if (step === 'cell') return t('spoken.column', { n: value.slice(2) });
  if (step !== 'line') return value;
  const board = view.boards[seat];
  const holds =
    value === FLOOR ? floorHolds(board?.floor ?? '') : lineHolds(board?.lines[Number(value) - 1] ?? '', Number(value));
  return `${lineName(game, value)}: ${holds}`;
}

export function questionWords(game: GameName, part: Part | undefined): string {
  if (part?.step === 'cell') return t('spoken.ask.cell', { n: part.value[0]! });
  if (part?.step === 'line' || part?.step === 'pass') return t(`spoken.ask.${part.step}`);
  return t(`spoken.ask.take.${game}`);
}

// The names of what a tour points at.
export function thingWords(game: GameName, thing: string): string {
  const [what = '', n = '', column = ''] = thing.replace(/^board:\d+:/, '').split(':');
  if (what === 'factory' || what === 'disc') return sourceWords(game, n);
  if (what === 'centre') return t('spoken.centre');
  if (what === 'line') return lineName(game, n);
  if (what === 'lines' || what === 'wall' || what === 'floor') return t(`spoken.${what}.${game}`);
  if (what === 'row') return t('spoken.row', { n });
  if (what === 'column') return t('spoken.column', { n });
  if (what === 'cell') return `${t('spoken.row', { n })}, ${t('spoken.column', { n: column })}`;
  return '';
}
