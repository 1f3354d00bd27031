// What the figures in the rules show, in the letters of Azul. Chocolatier has its own chocolates in these places.
export interface TilesDrawing {
  rows: string[]; // an upper-case letter is a tile, a lower-case letter a printed cell, "." an empty cell, " " nothing
  fresh?: [number, number]; // column and row of a tile that has just been placed
  signs?: string[]; // emblems of special discs, in a row
  costs?: string[];
}

const sign = (name: string): TilesDrawing[] => [{ rows: [], signs: [name] }];

export const FIGURES: Record<string, TilesDrawing[]> = {
  wall: [{ rows: ['BYRKW', 'WBYRK', 'KWBYR', 'RKWBY', 'YRKWB'] }],
  score: [
    { rows: ['byrkw', 'wbYrk', 'kwbyr', 'rkwby'], fresh: [2, 1] },
    { rows: ['byrkw', 'WBYrk', 'kwbyr', 'rkwby'], fresh: [2, 1] },
    { rows: ['byRkw', 'wbYrk', 'kwByr', 'rkwby'], fresh: [2, 1] },
    { rows: ['byRkw', 'WBYRk', 'kwByr', 'rkwby'], fresh: [2, 1] },
  ],
  floor: [{ rows: ['mRRK...'], costs: ['−1', '−1', '−2', '−2', '−2', '−3', '−3'] }],
  'disc-extra': sign('extra'),
  'disc-magnet': sign('magnetR'),
  'disc-keeper': sign('keeper'),
  'disc-spreader': sign('spreader'),
  'disc-saucer': sign('saucer'),
};
