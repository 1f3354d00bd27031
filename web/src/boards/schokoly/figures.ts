// What the figures in the rules show.
import { CARDS } from './moves';

export interface CardsDrawing {
  cards: { pieces: string; x: number; y: number; level?: 2; token?: boolean }[];
  edges?: { x: number; y: number; upright: boolean; same: boolean }[]; // between cells, at their top left corner
  scale?: number;
}

const card = (pieces: string, x: number, y: number) => ({ pieces, x, y });

export const FIGURES: Record<string, CardsDrawing[]> = {
  cards: [
    {
      scale: 0.62,
      cards: CARDS.map((pieces, at) => card(pieces, (at % 6) * 2.5, Math.floor(at / 6) * 2.5)),
    },
  ],
  turns: [
    {
      scale: 0.62,
      cards: ['DDMW', 'WDDM', 'MWDD', 'DMWD'].map((pieces, at) => card(pieces, at * 2.5, 0)),
    },
  ],
  contacts: [
    {
      cards: [card('DDDM', 0, 0), card('MWWD', 2, 0)],
      edges: [
        { x: 2, y: 0, upright: true, same: false },
        { x: 2, y: 1, upright: true, same: true },
      ],
    },
    {
      cards: [card('DDDM', 0, 0), card('DMWW', 2, 1)],
      edges: [{ x: 2, y: 1, upright: true, same: true }],
    },
    {
      cards: [card('DDDM', 0, 0), card('MWWM', 2, 0)],
      edges: [
        { x: 2, y: 0, upright: true, same: false },
        { x: 2, y: 1, upright: true, same: false },
      ],
    },
  ],
  stacking: [
    { cards: [card('DDDM', 0, 0), card('MWWD', 2, 0)] },
    {
      cards: [card('DDDM', 0, 0), card('MWWD', 2, 0), { pieces: 'MMWM', x: 1, y: 0, level: 2, token: true }],
    },
  ],
  neutral: [
    {
      cards: [
        card('DWDD', 0, 0),
        card('WWWM', 2, 0),
        card('WWDM', 4, 0),
        card('DWDD', 0, 2),
        card('MMDM', 2, 2),
        card('MDDM', 4, 2),
      ],
    },
  ],
};
