// A position of Schokoly, as the server sends it.
import type { Group, View } from '../../lib/types';

export interface Card {
  pieces: string; // clockwise from the top left, as it lies
  x: number; // of the top left piece
  y: number; // downward
  level: 1 | 2;
  token: boolean;
}

export interface SchokolyView extends View {
  viewer: number | null;
  phase: 'deal' | 'draw' | 'kind' | 'place' | 'secure' | 'answer' | 'accept' | 'over';
  kinds: (string | null)[];
  tokens: number[];
  hands: string[][]; // '?' where they are hidden
  stack: number[] | null;
  left: number;
  table: Card[];
  passes: number;
  barred: string[][];
  asked: number[];
  swapped: boolean;
  partner: number | null;
  offer: { card: string; number: number } | null;
  answer: { card: string; number: number } | null;
  known: { viewer: number; holder: number; known: string[] }[];
  said: { viewer: number; holder: number; said: string[] }[];
  ended_by: string;
  points: number[];
  groups: Group[];
}
