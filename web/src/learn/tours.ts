// The tours: positions, things to point at and moves to make, as tests/web/test_tours.py checks them with the rules.
import type { GameName } from '../lib/types';
import tours from './tours.json';

export interface Step {
  id: string;
  position: string;
  focus?: string[];
  do?: string[][]; // ply by ply: the moves that are wanted, "*" stands for anything but the sign of the second level
  figures?: Record<string, number>; // numbers that its words mention
}

export const TOURS = tours as unknown as Record<GameName, Step[]>;
export const TITLES: Record<GameName, string> = {
  azul: 'Azul',
  chocolatier: 'Azul: Master Chocolatier',
  schokoly: 'Schokoly',
};
export const GAMES: GameName[] = ['azul', 'chocolatier', 'schokoly'];

export function isGame(name: string): name is GameName {
  return (GAMES as string[]).includes(name);
}

// The numbers that the words of a step may use.
export function valuesOf(step: Step): Record<string, number> {
  const own = Object.entries(step).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  return { ...Object.fromEntries(own), ...step.figures };
}

export function isWanted(wanted: string[], move: string): boolean {
  return wanted.some((one) => {
    const parts = one.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('[^^]*')}$`).test(move);
  });
}
