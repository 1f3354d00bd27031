// Written by `make golden` from src/tilery/games/azul/effects.py: change it there.

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
