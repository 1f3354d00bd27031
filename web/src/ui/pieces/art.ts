// Colours and ornaments of the small drawings: the same ornaments as on the boards.

export interface Glaze {
  base: string;
  edge: string;
  ink: string;
}

export type Edition = 'ceramic' | 'chocolate';

export const GLAZES: Record<Edition, Record<string, Glaze>> = {
  ceramic: {
    B: { base: '#2465b0', edge: '#123f75', ink: '#eaf5ff' },
    Y: { base: '#f6bd3c', edge: '#a8720c', ink: '#6a2c00' },
    R: { base: '#c63a2e', edge: '#7d1b14', ink: '#ffeae0' },
    K: { base: '#282b33', edge: '#0c0d10', ink: '#f5e6b8' },
    W: { base: '#fffefa', edge: '#5d7f86', ink: '#1d8a8a' },
  },
  chocolate: {
    B: { base: '#5b8ed6', edge: '#2b5190', ink: '#f4f9ff' },
    N: { base: '#8f5a32', edge: '#4f2b10', ink: '#fbe3c0' },
    W: { base: '#fff8e6', edge: '#8a6438', ink: '#9a6a36' },
    K: { base: '#2b211d', edge: '#0b0605', ink: '#f6d9a2' },
    R: { base: '#c8385f', edge: '#741534', ink: '#ffe8ea' },
  },
};

interface Ornament {
  fill?: string;
  line?: string;
  width?: number;
}

// One bold ornament for each colour, on a grid of 40: filled paths, and lines with their width.
const CERAMIC: Record<string, Ornament> = {
  B: { line: 'M8 11.5q4-6 8 0t8 0 8 0M8 20.5q4-6 8 0t8 0 8 0M8 29.5q4-6 8 0t8 0 8 0', width: 3.6 },
  Y: {
    fill: 'M20 13a7 7 0 1 0 0 14 7 7 0 1 0 0-14z',
    line: 'M20 6v4M20 30v4M6 20h4M30 20h4M10.1 10.1l2.8 2.8M27.1 27.1l2.8 2.8M10.1 29.9l2.8-2.8M27.1 12.9l2.8-2.8',
    width: 3.4,
  },
  R: { fill: 'M20 14l6 6-6 6-6-6z', line: 'M20 6.5L33.5 20 20 33.5 6.5 20z', width: 3.2 },
  K: {
    fill: 'M20 4.5l4 11.5 11.5 4-11.5 4-4 11.5-4-11.5-11.5-4 11.5-4z',
    line: 'M9.5 9.5h0M30.5 9.5h0M9.5 30.5h0M30.5 30.5h0',
    width: 4,
  },
  W: {
    fill: 'M20 15.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 1 0 0-8.4z',
    line: 'M20 8.4a11.6 11.6 0 1 0 0 23.2 11.6 11.6 0 1 0 0-23.2z',
    width: 4,
  },
};

// Those of the chocolates: waves, an orange slice, a swirl, a star alone, a heart.
const SWEET: Record<string, Ornament> = {
  B: CERAMIC.B!,
  N: {
    line: 'M20 7.8a12.2 12.2 0 1 0 0 24.4 12.2 12.2 0 1 0 0-24.4zM20 10v20M11.3 15l17.4 10M11.3 25l17.4-10',
    width: 2.8,
  },
  R: { fill: 'M20 33C8 24.5 6.5 19 7.4 14.8 8.8 9 16.5 8 20 14c3.5-6 11.2-5 12.6.8C33.5 19 32 24.5 20 33z' },
  K: { fill: 'M20 5.5l3.9 10.6 10.6 3.9-10.6 3.9L20 34.5l-3.9-10.6L5.5 20l10.6-3.9z' },
  W: {
    line: 'M20.5 20.5c-.6-2.4 3.6-2.8 4 .6.5 4.6-5.6 6.8-9 3.2-4-4.3-1.3-12 5.5-12.6 7.8-.7 12.6 6 10.7 12.5',
    width: 3.3,
  },
};

export const ORNAMENTS: Record<Edition, Record<string, Ornament>> = { ceramic: CERAMIC, chocolate: SWEET };

export interface Chocolate {
  face: string;
  edge: string;
  facets: [string, string, string, string]; // top, left, right, foot
  ink: string;
}

export const CHOCOLATES: Record<string, Chocolate> = {
  D: { face: '#3c2218', edge: '#180b06', facets: ['#7d5746', '#5f3d2e', '#2b170f', '#1d0e08'], ink: '#c99f85' },
  M: { face: '#a8683d', edge: '#5a3117', facets: ['#d19e6d', '#bd8050', '#87502a', '#6f3f1f'], ink: '#f7dcb4' },
  W: { face: '#fbf1da', edge: '#8d6d43', facets: ['#ffffff', '#fffaf0', '#e3cfa8', '#d5bb8d'], ink: '#a06a2c' },
};

export const FACETS = [
  'M1.5 1.5H34.5L31 5H5z',
  'M1.5 1.5L5 5V31L1.5 34.5z',
  'M34.5 1.5V34.5L31 31V5z',
  'M1.5 34.5L5 31H31L34.5 34.5z',
];

// The relief of a piece, on a grid of 36.
export const RELIEFS: Record<string, { fill?: string; line: string; width: number }> = {
  D: { fill: 'M18 13l5 5-5 5-5-5z', line: 'M18 6L30 18 18 30 6 18z', width: 2.4 },
  M: { line: 'M8.25 14.6q3.25-5.6 6.5 0t6.5 0 6.5 0M8.25 23.6q3.25-5.6 6.5 0t6.5 0 6.5 0', width: 3 },
  W: {
    fill: 'M18 14.9a3.1 3.1 0 1 0 0 6.2 3.1 3.1 0 1 0 0-6.2z',
    line: 'M18 8.4a9.6 9.6 0 1 0 0 19.2 9.6 9.6 0 1 0 0-19.2z',
    width: 4,
  },
};
