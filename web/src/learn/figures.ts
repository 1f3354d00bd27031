// What the figures in the rules show.
export interface TilesDrawing {
  kind: 'tiles';
  rows: string[]; // an upper-case letter is a tile, a lower-case letter a printed cell, "." an empty cell, " " nothing
  fresh?: [number, number]; // column and row of a tile that has just been placed
  signs?: string[]; // emblems of special discs, in a row
  costs?: string[];
}

export interface ChocolateDrawing {
  kind: 'chocolate';
  cards: { pieces: string; x: number; y: number; level?: 2; token?: boolean }[];
  edges?: { x: number; y: number; upright: boolean; same: boolean }[]; // between cells, at their top left corner
  scale?: number;
}

export type Drawing = TilesDrawing | ChocolateDrawing;

const CARDS = ['DDDM', 'DDDW', 'MMMD', 'MMMW', 'WWWD', 'WWWM', 'DDMM', 'DDWW', 'MMWW', 'DDMW', 'MMWD', 'WWDM'];
const sign = (name: string): Drawing[] => [{ kind: 'tiles', rows: [], signs: [name] }];
const card = (pieces: string, x: number, y: number) => ({ pieces, x, y });

export const FIGURES: Record<string, Drawing[]> = {
  wall: [{ kind: 'tiles', rows: ['BYRKW', 'WBYRK', 'KWBYR', 'RKWBY', 'YRKWB'] }],
  score: [
    { kind: 'tiles', rows: ['byrkw', 'wbYrk', 'kwbyr', 'rkwby'], fresh: [2, 1] },
    { kind: 'tiles', rows: ['byrkw', 'WBYrk', 'kwbyr', 'rkwby'], fresh: [2, 1] },
    { kind: 'tiles', rows: ['byRkw', 'wbYrk', 'kwByr', 'rkwby'], fresh: [2, 1] },
    { kind: 'tiles', rows: ['byRkw', 'WBYRk', 'kwByr', 'rkwby'], fresh: [2, 1] },
  ],
  floor: [{ kind: 'tiles', rows: ['mRRK...'], costs: ['−1', '−1', '−2', '−2', '−2', '−3', '−3'] }],
  'disc-extra': sign('extra'),
  'disc-magnet': sign('magnetR'),
  'disc-keeper': sign('keeper'),
  'disc-spreader': sign('spreader'),
  'disc-saucer': sign('saucer'),
  cards: [
    {
      kind: 'chocolate',
      scale: 0.62,
      cards: CARDS.map((pieces, at) => card(pieces, (at % 6) * 2.5, Math.floor(at / 6) * 2.5)),
    },
  ],
  turns: [
    {
      kind: 'chocolate',
      scale: 0.62,
      cards: ['DDMW', 'WDDM', 'MWDD', 'DMWD'].map((pieces, at) => card(pieces, at * 2.5, 0)),
    },
  ],
  contacts: [
    {
      kind: 'chocolate',
      cards: [card('DDDM', 0, 0), card('MWWD', 2, 0)],
      edges: [
        { x: 2, y: 0, upright: true, same: false },
        { x: 2, y: 1, upright: true, same: true },
      ],
    },
    {
      kind: 'chocolate',
      cards: [card('DDDM', 0, 0), card('DMWW', 2, 1)],
      edges: [{ x: 2, y: 1, upright: true, same: true }],
    },
    {
      kind: 'chocolate',
      cards: [card('DDDM', 0, 0), card('MWWM', 2, 0)],
      edges: [
        { x: 2, y: 0, upright: true, same: false },
        { x: 2, y: 1, upright: true, same: false },
      ],
    },
  ],
  stacking: [
    { kind: 'chocolate', cards: [card('DDDM', 0, 0), card('MWWD', 2, 0)] },
    {
      kind: 'chocolate',
      cards: [card('DDDM', 0, 0), card('MWWD', 2, 0), { pieces: 'MMWM', x: 1, y: 0, level: 2, token: true }],
    },
  ],
  neutral: [
    {
      kind: 'chocolate',
      cards: [
        card('DDMW', 0, 0),
        card('DDMD', 2, 0),
        card('DWWW', 4, 0),
        card('WMMW', 0, 2),
        card('MMMW', 2, 2),
        card('DWWW', 4, 2),
      ],
    },
  ],
};
