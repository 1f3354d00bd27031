// Written by `make golden` from src/tilery/games/azul/move_kinds.py, effects.py and values.py: change it there.

import type { View } from '../../lib/types';

// AZ-3: what the spaces of a floor line cost, left to right.
export const FLOOR_COSTS = [1, 1, 2, 2, 2, 3, 3];

// One player's board.
export interface Board {
  score: number;
  lines: string[]; // five texts such as "" or "BB"
  wall: string[]; // five rows of five letters, "." where there is no tile
  floor: string; // left to right, "m" is the marker
  saucer: string | null; // null: not at this board; "": empty; a letter: what lies on it
}

// A position of Azul. Seats count from 0; `factories` and `discs` are in the order of the circle.
export interface AzulView extends View {
  round: number; // from 1
  starter: number; // who started the round
  marker: number | null; // the seat that holds the starting player marker; null: it lies in the centre
  stalled: number; // rounds without a tile on a wall
  bag: number[]; // counts by colour
  lid: number[]; // counts by colour
  centre: string; // tiles, as letters
  discs: string[]; // the kind of each: plain, or a special one
  factories: string[]; // the tiles on each
  boards: Board[]; // one for each seat
  ended_by: string; // row, tiles, stall or rounds when the game is over
  saucer_gone: boolean; // whether the saucer lies beside a board
}

// AZ-12, AZ-13: all tiles of one colour from a source to a pattern line or the floor line.
export interface Take {
  kind: 'take';
  text: string;
  action: number;
  source: number;
  colour: string;
  number: number;
  line: number | null; // null: the floor line
  left: string; // MC-7: the colours that a spreader passes to its left neighbour
  right: string;
}

// AZ-50: the cell of a grey wall for the tile of a full line.
export interface Cell {
  kind: 'cell';
  text: string;
  action: number;
  line: number;
  column: number;
}

// AZ-4: the seat that starts is drawn.
export interface Start {
  kind: 'start';
  text: string;
  action: number;
  seat: number;
}

// MC-2: a special disc is laid.
export interface Disc {
  kind: 'disc';
  text: string;
  action: number;
  source: number;
  disc: string;
}

// MC-3: the extra tile is drawn.
export interface Extra {
  kind: 'extra';
  text: string;
  action: number;
  colour: string;
}

// AZ-10: the tiles of the next factory are drawn.
export interface Deal {
  kind: 'deal';
  text: string;
  action: number;
  tiles: string;
}

export type AzulMove = Take | Cell | Start | Disc | Extra | Deal;

// On the wire a move is a list: its kind, its text, its action, and then these parts.
export const MOVE_PARTS: Record<string, string[]> = {
  take: ['source', 'colour', 'number', 'line', 'left', 'right'],
  cell: ['line', 'column'],
  start: ['seat'],
  disc: ['source', 'disc'],
  extra: ['colour'],
  deal: ['tiles'],
};

// AZ-12, AZ-13: a seat takes all tiles of a colour from a source.
export interface Taken {
  type: 'taken';
  seat: number;
  source: number;
  colour: string;
  number: number;
}

// AZ-12, MC-7: other tiles move from a source to the centre or to a neighbour.
export interface RestMoved {
  type: 'rest-moved';
  source: number;
  to: number;
  tiles: string;
}

// MC-8: the saucer comes to lie beside the seat's board.
export interface SaucerTaken {
  type: 'saucer-taken';
  seat: number;
}

// AZ-13, MC-9: a seat takes the starting player marker; it lies nowhere if the floor line is full (AZ-18).
export interface MarkerTaken {
  type: 'marker-taken';
  seat: number;
  to: '' | 'floor' | 'saucer';
  cost: number; // how much more the floor line costs
}

// AZ-14, AZ-15: tiles come to lie on a pattern line.
export interface Placed {
  type: 'placed';
  seat: number;
  line: number;
  colour: string;
  number: number;
  full: boolean; // whether the line is full now
  points: number | null; // what a full line adds to the seat's tiling as the board stands; null if a column is chosen
}

// AZ-17, AZ-18, AZ-51, MC-8: tiles fall: on a free saucer, to the floor line, to the lid.
export interface Fell {
  type: 'fell';
  seat: number;
  colour: string;
  line: number | null; // the full line that they fall from; null if they were just taken
  saucer: number;
  floor: number;
  lid: number;
  cost: number; // how much more the floor line costs
}

// AZ-19: no tile is left to be taken; the wall tiling begins.
export interface OfferEnded {
  type: 'offer-ended';
  round: number;
}

// AZ-20, AZ-21: a tile of a full line goes to the wall, the others to the lid.
export interface Tiled {
  type: 'tiled';
  seat: number;
  line: number;
  column: number;
  colour: string;
  across: number; // points for the row
  down: number; // points for the column
  points: number;
}

// AZ-22, MC-8: the floor line costs points, and it and the saucer are cleared: the tiles go to the lid.
export interface FloorScored {
  type: 'floor-scored';
  seat: number;
  floor: string; // what lay there, left to right
  saucer: string; // what lay on the seat's saucer
  points: number; // 0 or less: a score never falls below 0
}

// MC-8: the saucer goes back from a seat's board to the circle.
export interface SaucerReturned {
  type: 'saucer-returned';
  seat: number;
}

// AZ-40: points for complete rows, columns or colours when the game ends.
export interface Bonus {
  type: 'bonus';
  seat: number;
  what: 'colour' | 'column' | 'row';
  number: number;
  points: number;
}

// AZ-4, AZ-31: a round begins, with the marker in the centre.
export interface RoundBegun {
  type: 'round-begun';
  round: number;
  starter: number;
  discs_removed: boolean; // MC-2: the special discs leave the circle
}

// AZ-30, AZ-33 to AZ-35: the game ends.
export interface Ended {
  type: 'ended';
  by: string;
}

// AZ-32: the tiles of the lid go into the bag.
export interface Refilled {
  type: 'refilled';
  tiles: string;
}

// AZ-10, MC-3: tiles from the bag come to lie on a disc.
export interface Dealt {
  type: 'dealt';
  source: number;
  tiles: string;
}

// MC-4: a magnet takes a tile from a neighbour.
export interface Attracted {
  type: 'attracted';
  source: number;
  to: number;
  colour: string;
}

// MC-2: a special disc is laid in the circle.
export interface DiscLaid {
  type: 'disc-laid';
  source: number;
  disc: string;
}

export type AzulEffect =
  | Taken
  | RestMoved
  | SaucerTaken
  | MarkerTaken
  | Placed
  | Fell
  | OfferEnded
  | Tiled
  | FloorScored
  | SaucerReturned
  | Bonus
  | RoundBegun
  | Ended
  | Refilled
  | Dealt
  | Attracted
  | DiscLaid;
