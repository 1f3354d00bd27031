// Azul in words: piles of tiles, pattern lines, floor lines and choices.
import type { GameName } from '../../../lib/types';
import type { AzulView } from '../wire';
import { t } from '../../../lib/i18n.svelte';
import { colourName, lettersOf } from '../edition';
import { FLOOR, moveOf, piles } from '../moves';
import type { Choice } from '../../text/types';

// "2 blue"
export const tilesWords = (game: GameName, letter: string, n: number): string =>
  t(`spoken.tiles.${colourName(game, letter)}`, { n });

export const colourWords = (game: GameName, letter: string): string => t(`spoken.colour.${colourName(game, letter)}`);

// "2 blue, 1 red"
export function pileWords(game: GameName, tiles: string): string {
  const words = piles(tiles).map(({ letter, n }) => tilesWords(game, letter, n));
  return words.length ? words.join(', ') : t('spoken.empty');
}

export function countsWords(game: GameName, counts: number[]): string {
  return pileWords(
    game,
    lettersOf(game)
      .map((letter, at) => letter.repeat(counts[at] ?? 0))
      .join(''),
  );
}

export function sourceWords(game: GameName, source: number): string {
  return source ? t(`spoken.factory.${game}`, { n: source }) : t('spoken.centre');
}

export function lineWords(game: GameName, line: string): string {
  return line === FLOOR ? t(`spoken.floor.${game}`) : t(`spoken.line.${game}`, { n: line });
}

// What a pattern line holds: "blue, 1 of 2"
export function lineHolds(game: GameName, tiles: string, room: number): string {
  if (!tiles) return t('spoken.line-empty', { all: room });
  return t('spoken.line-holds', { colour: colourWords(game, tiles[0]!), n: tiles.length, all: room });
}

export function floorHolds(game: GameName, floor: string): string {
  const all = [...floor].map((letter) => (letter === 'm' ? t('spoken.marker') : colourWords(game, letter)));
  return all.length ? all.join(', ') : t('spoken.empty');
}

const colours = (game: GameName, letters: string): string =>
  [...letters].map((letter) => colourWords(game, letter)).join(', ');

export function passWords(game: GameName, left: string, right: string): string {
  const words = { left: colours(game, left), right: colours(game, right) };
  return t(right ? (left ? 'spoken.pass-both' : 'spoken.pass-right') : 'spoken.pass-left', words);
}

export function choiceWords(game: GameName, view: AzulView, seat: number, { step, value, moves }: Choice): string {
  const move = moves[0] && moveOf(moves[0]);
  if (step === 'line') {
    const board = view.boards[seat];
    const line = Number(value) - 1;
    const holds =
      value === FLOOR ? floorHolds(game, board?.floor ?? '') : lineHolds(game, board?.lines[line] ?? '', line + 1);
    return `${lineWords(game, value)}: ${holds}`;
  }
  if (move?.kind === 'cell') return t('spoken.column', { n: move.column + 1 });
  if (move?.kind !== 'take') return value;
  if (step === 'pass') return passWords(game, move.left, move.right);
  return `${sourceWords(game, move.source)}: ${tilesWords(game, move.colour, move.number)}`;
}

export function questionWords(game: GameName, choice: Choice | undefined): string {
  const move = choice?.moves[0] && moveOf(choice.moves[0]);
  if (move?.kind === 'cell') return t('spoken.ask.cell', { n: move.line + 1 });
  if (choice?.step === 'line' || choice?.step === 'pass') return t(`spoken.ask.${choice.step}`);
  return t(`spoken.ask.take.${game}`);
}

// The names of what a tour points at.
export function thingWords(game: GameName, thing: string): string {
  const [what = '', n = '', column = ''] = thing.replace(/^board:\d+:/, '').split(':');
  if (what === 'factory' || what === 'disc') return sourceWords(game, Number(n));
  if (what === 'centre') return t('spoken.centre');
  if (what === 'line') return lineWords(game, n);
  if (what === 'lines' || what === 'wall' || what === 'floor') return t(`spoken.${what}.${game}`);
  if (what === 'row') return t('spoken.row', { n });
  if (what === 'column') return t('spoken.column', { n });
  if (what === 'cell') return `${t('spoken.row', { n })}, ${t('spoken.column', { n: column })}`;
  return '';
}
