// Written by `make golden` from src/tilery/games/schokoly/move_kinds.py, effects.py and values.py: change it there.

import type { View } from '../../lib/types';

// SC-43, SC-44: a group, whose it is, and whether it scores now.
export interface ScoredGroup {
  kind: string;
  size: number;
  cells: [number, number][]; // sorted by rows
  seat: number | null; // the seat that scores it, or would if it were larger
  scores: boolean;
  contacts: Record<string, number>; // SC-44: of a neutral group, the edges to each side's kind
}

// A card on the table; x and y are those of its top left piece, x to the right, y downward.
export interface Card {
  pieces: string; // clockwise from the top left, as it lies
  x: number;
  y: number;
  level: number; // 1 or 2
  token: boolean;
}

// SC-50: a card on offer (or in answer), if the viewer sees it, and the number said of it.
export interface SwapCard {
  card: string; // HIDDEN where the viewer does not see it
  number: number;
}

// SC-60: cards that a seat knows to be in the hand of another.
export interface KnownCards {
  viewer: number;
  holder: number;
  known: string[];
}

// SC-60: what a seat has heard about a card in the hand of another, such as `D2`.
export interface Said {
  viewer: number;
  holder: number;
  said: string[];
}

// A position of Schokoly. Seats count from 0; a card that the viewer cannot see is `?`.
export interface SchokolyView extends View {
  viewer: number | null; // the seat whose view this is, -3 for a spectator, null for the whole position
  kinds: (string | null)[]; // of each seat: D, M, W; null before it is chosen
  tokens: number[]; // left to each seat
  hands: string[][];
  stack: number[] | null; // how many of each card are left; null where it is hidden
  left: number; // cards in the stack
  table: Card[]; // by rows, then columns
  passes: number; // in a row
  barred: string[][]; // by seat: cards that the hand cannot hold, as its passes show
  asked: number[]; // seats that were asked for a swap in this turn
  swapped: boolean; // whether a swap was made in this turn
  partner: number | null; // the seat that has to answer an offer of a swap
  offer: SwapCard | null;
  answer: SwapCard | null;
  known: KnownCards[];
  said: Said[];
  ended_by: string; // cards or passes when the game is over
  points: number[]; // of each seat, as the table is now
  groups: ScoredGroup[]; // the largest first
}

// SC-12, SC-13: the choice of a kind.
export interface Kind {
  kind: 'kind';
  text: string;
  action: number;
  of: string; // D, M or W
}

// SC-20, SC-31: a card laid on the table.
export interface Lay {
  kind: 'lay';
  text: string;
  action: number;
  card: string; // its name
  turns: number; // quarter turns clockwise from the card as it is named
  x: number; // of its top left piece
  y: number;
  level: number; // 1 or 2
}

// SC-35: a token for the card whose top left piece is at x, y.
export interface Token {
  kind: 'token';
  text: string;
  action: number;
  x: number;
  y: number;
}

// SC-35: no token in this turn.
export interface NoToken {
  kind: 'no-token';
  text: string;
  action: number;
}

// SC-41: no card can be placed.
export interface Pass {
  kind: 'pass';
  text: string;
  action: number;
}

// SC-12: the seat that starts is drawn.
export interface Start {
  kind: 'start';
  text: string;
  action: number;
  seat: number;
}

// SC-11, SC-14: chance gives a card to the seat.
export interface Draw {
  kind: 'draw';
  text: string;
  action: number;
  card: string | null;
}

// SC-50: a card is offered to an opponent.
export interface Offer {
  kind: 'offer';
  text: string;
  action: number;
  seat: number; // the opponent
  card: string | null;
  number: number | null; // the pieces said; null if the card says it
}

// SC-51: a card in answer to an offer.
export interface Answer {
  kind: 'answer';
  text: string;
  action: number;
  card: string | null;
  number: number | null; // the pieces said; null if the card says it
}

// SC-52: the swap is accepted.
export interface Accept {
  kind: 'accept';
  text: string;
  action: number;
  card: string | null; // the card that the viewer gets; null if it does not take part in the swap
}

// SC-51, SC-52: the swap is declined.
export interface Decline {
  kind: 'decline';
  text: string;
  action: number;
}

export type SchokolyMove = Kind | Lay | Token | NoToken | Pass | Start | Draw | Offer | Answer | Accept | Decline;

// On the wire a move is a list: its kind, its text, its action, and then these parts.
export const MOVE_PARTS: Record<string, string[]> = {
  kind: ['of'],
  lay: ['card', 'turns', 'x', 'y', 'level'],
  token: ['x', 'y'],
  'no-token': [],
  pass: [],
  start: ['seat'],
  draw: ['card'],
  offer: ['seat', 'card', 'number'],
  answer: ['card', 'number'],
  accept: ['card'],
  decline: [],
};

// SC-12: the seat that starts is drawn.
export interface StarterDrawn {
  type: 'starter-drawn';
  seat: number;
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
  | StarterDrawn
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
