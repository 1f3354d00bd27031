// What was chosen for the last new table, by the way it was made, and the game that was looked at last.
import { read, write } from '../lib/settings.svelte';
import type { GameName } from '../lib/types';
import { GAMES, restored, type Choices, type Mode } from './choices';

const PLACE = 'tilery.new';
type Kept = { game?: GameName } & Partial<Record<Mode, Choices>>;

export function lastGame(): GameName {
  const { game } = read<Kept>(PLACE, {});
  return game && GAMES.includes(game) ? game : 'azul';
}

export function setLastGame(game: GameName): void {
  write(PLACE, { ...read<Kept>(PLACE, {}), game });
}

export function lastChoices(mode: Mode): Choices {
  return { ...restored(mode, read<Kept>(PLACE, {})[mode]), game: lastGame() };
}

export function keepChoices(mode: Mode, choices: Choices): void {
  write(PLACE, { ...read<Kept>(PLACE, {}), game: choices.game, [mode]: choices });
}
