// Written by `make golden` from src/tilery/games/schokoly/effects.py: change it there.

// SC-43, SC-44: a group, whose it is, and whether it scores now.
export interface ScoredGroup {
  kind: string;
  size: number;
  cells: [number, number][]; // sorted by rows
  seat: number | null; // the seat that scores it, or would if it were larger
  scores: boolean;
  contacts: Record<string, number>; // SC-44: of a neutral group, the edges to each side's kind
}

// SC-12, SC-13: a seat plays a kind: its own choice, or what another choice leaves or settles.
export interface KindChosen {
  type: 'kind-chosen';
  seat: number;
  kind: string;
}

// SC-14, SC-20, SC-31: a seat lays a card; x and y are those of its top left piece.
export interface Laid {
  type: 'laid';
  seat: number;
  card: string;
  pieces: string; // as it lies, clockwise from the top left
  x: number;
  y: number;
  level: number;
}

// SC-31: a card on the second level costs a token, which lies on it; x and y are those of its top left piece.
export interface TokenSpent {
  type: 'token-spent';
  seat: number;
  x: number;
  y: number;
}

// SC-31: a visible piece is covered.
export interface Covered {
  type: 'covered';
  x: number;
  y: number;
  kind: string; // of the piece
}

// SC-20, SC-21, SC-32: an edge at which the card touches a visible piece; x and y are those of its own piece.
export interface Touched {
  type: 'touched';
  x: number;
  y: number;
  side: string;
  same: boolean; // both pieces are of the same kind
}

// SC-42 to SC-44: groups that are no longer there as they were, and those that are there now.
export interface GroupsChanged {
  type: 'groups-changed';
  old: ScoredGroup[];
  new: ScoredGroup[];
}

// SC-43 to SC-46: the points of every seat, as the table stands now.
export interface PointsChanged {
  type: 'points-changed';
  points: number[];
}

// SC-35: a seat puts a token on the card whose top left piece is at x, y.
export interface Secured {
  type: 'secured';
  seat: number;
  x: number;
  y: number;
}

// SC-11, SC-14: a seat gets a card from the stack.
export interface Drawn {
  type: 'drawn';
  seat: number;
  card: string | null;
}

// SC-41, SC-60: a seat passes, so that its hand cannot hold any of the `barred` cards.
export interface Passed {
  type: 'passed';
  seat: number;
  barred: string[];
}

// SC-50: a seat offers a card to an opponent, and says how many pieces of the opponent's kind are on it.
export interface Offered {
  type: 'offered';
  seat: number;
  to: number;
  card: string | null;
  number: number;
}

// SC-51: a seat answers with a card, and says how many pieces of the other's kind are on it.
export interface Answered {
  type: 'answered';
  seat: number;
  to: number;
  card: string | null;
  number: number;
}

// SC-51, SC-52: a seat declines the swap.
export interface Declined {
  type: 'declined';
  seat: number;
}

// SC-52: a seat and its partner have swapped cards.
export interface Swapped {
  type: 'swapped';
  seat: number;
  partner: number;
  given: string | null; // by the seat
  got: string | null;
}

// SC-40, SC-41: the game ends.
export interface Ended {
  type: 'ended';
  by: string;
}

export type SchokolyEffect =
  | KindChosen
  | Laid
  | TokenSpent
  | Covered
  | Touched
  | GroupsChanged
  | PointsChanged
  | Secured
  | Drawn
  | Passed
  | Offered
  | Answered
  | Declined
  | Swapped
  | Ended;
