// The wire, as docs/wire.md describes it. Seats count from 0.

export type GameName = 'azul' | 'chocolatier' | 'schokoly';

export interface Seat {
  kind: 'open' | 'person' | 'bot';
  name: string;
  bot: string;
  gone: boolean;
  lost: '' | 'resigned' | 'time';
}

export interface Clock {
  base?: number;
  increment?: number;
  days?: number;
  left: number[];
}

export interface Offer {
  offer: number;
  what: 'takeback' | 'draw' | 'replace' | 'rematch';
  by: number[];
  seat: number | null;
  bot: string;
  agreed: number[];
}

export interface Result {
  scores: number[];
  winners: number[];
  ended_by: string;
  rule: string;
}

export interface Count {
  what: string;
  points: number[];
}

export interface AzulBoard {
  score: number;
  lines: string[]; // five texts such as "BB"
  wall: string[]; // five rows of five letters, "." where there is no tile
  floor: string; // from the left, "m" is the marker
  saucer: string | null;
}

export interface AzulView {
  rules: string;
  round: number;
  phase: 'start' | 'discs' | 'fill' | 'extra' | 'offer' | 'tiling' | 'over';
  seat: number | null;
  starter: number;
  marker: number | null; // null: it lies in the centre
  stalled: number;
  bag: number[];
  lid: number[];
  centre: string;
  discs: string[]; // 'plain', 'extra', 'magnetB' ... 'magnetW', 'keeper', 'spreader', 'saucer'
  factories: string[];
  boards: AzulBoard[];
  ended_by: string;
  saucer_gone: boolean;
}

export interface Card {
  pieces: string; // clockwise from the top left, as it lies
  x: number; // of the top left piece
  y: number; // downward
  level: 1 | 2;
  token: boolean;
}

export interface Group {
  kind: string;
  size: number;
  cells: [number, number][];
  seat: number | null; // who gets it
  scores: boolean; // whether it counts now
  contacts: Record<string, number>;
}

export interface SchokolyView {
  rules: string;
  viewer: number | null;
  phase: 'deal' | 'draw' | 'kind' | 'place' | 'secure' | 'answer' | 'accept' | 'over';
  seat: number | null;
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

export type View = AzulView | SchokolyView;

export type Ply = [number, string]; // the actor (-1 is chance) and the move

export interface State {
  table: string;
  game: GameName;
  variant: string;
  commitment: string;
  public: boolean;
  chat: boolean;
  seats: Seat[];
  status: 'open' | 'playing' | 'over' | 'closed';
  seq: number;
  step: number;
  plies: number;
  actor: number | null;
  clock: Clock | null;
  offer: Offer | null;
  you: number[];
  host: boolean;
  viewer: number | null;
  position: View | null;
  moves?: string[];
  before?: string;
  result?: Result;
  breakdown?: Count[];
  entropy?: string;
  secret?: string;
  rematch?: string;
}

export interface TableEvent {
  seq: number;
  type: string;
  at: number;
  who?: number[];
  seat?: number | null;
  seats?: number[];
  move?: string;
  deals?: string[];
  text?: string;
  name?: string;
  bot?: string;
  what?: string;
  why?: string;
  plies?: number;
  table?: string;
  secret?: string;
}

export interface WireError {
  code: string;
  text: string;
  rule?: string;
  retry_in?: number;
}

// What a move does. Which fields are there depends on the game.
export interface TilingStep {
  seat: number;
  line?: number;
  column?: number;
  colour?: string;
  floor?: number; // points of the floor line
  bonus?: 'row' | 'column' | 'colour';
  points?: number;
}

export interface Touch {
  x: number;
  y: number;
  side: 'left' | 'right' | 'up' | 'down';
  same: boolean;
}

export interface Effects {
  placed?: number;
  fallen?: number;
  marker?: boolean;
  penalty?: number;
  completes?: boolean;
  points?: number | null | number[]; // Azul: of the tiling; Schokoly: of every seat
  tiling?: TilingStep[];
  touching?: Touch[];
  groups?: Group[];
}

export interface Preview {
  move: string;
  legal: boolean;
  effects?: Effects;
  error?: WireError;
}

export interface HintLine {
  move: string;
  win: number;
  margin: number;
  moves: string[];
  nodes: number;
  solved: boolean;
}

export interface Hint {
  step: number;
  engine: string;
  lines: HintLine[];
  horizon: string;
  solved: boolean;
  depth: number;
  nodes: number;
}

export interface Replay {
  game: GameName;
  variant: string;
  players: string[];
  tags: Record<string, string>;
  history: Ply[];
  result: string;
  positions: View[];
  breakdown: Count[] | null;
}

export interface Study {
  game: GameName;
  variant: string;
  position: string;
  view: View;
  actor: number | null; // -1 is chance, null: the game is over
  moves: string[];
  effects: Effects | null; // of the last move that was played
  previews: Preview[];
  result: Result | null;
  breakdown: Count[] | null;
}

export interface BotInfo {
  name: string;
  about: string;
}

export interface GameInfo {
  name: GameName;
  title: string;
  version: number;
  seats: number[];
  variants: { variant: string; about: string }[];
  bots: Record<string, BotInfo[]>;
  secret: boolean;
  help: string;
}

export interface LobbyTable {
  table: string;
  game: GameName;
  variant: string;
  seats: { kind: string; name: string }[];
  clock: { base?: number; increment?: number; days?: number } | null;
  founded: number;
}

// Public tables, the newest first.
export interface Lobby {
  tables: LobbyTable[]; // with an open seat
  running: LobbyTable[]; // where a game goes on
}

// What every board is given. A board draws the view, lets the viewer put a move together out of the legal ones, and
// says which one was chosen; whether it is confirmed and sent is not its business.
export interface BoardProps<V> {
  game: GameName;
  view: V;
  names: string[]; // of the seats
  viewer: number | null; // with whose eyes it is seen: this seat's board comes first
  moves: string[]; // the legal ones; empty if the viewer is not to move
  chosen: string | null; // a move that waits for its confirmation: drawn as if it were made, but lightly
  choose: (move: string | null) => void; // the chosen move once more confirms it; null takes the choice back
  look: (move: string | null) => void; // what is pointed at, legal or not: the page tells what it would do, or why not
  last: { seat: number; move: string } | null; // stays marked
  focus?: string[]; // things to point at (tours), such as "factory:3"
  shown?: string | null; // a move to show, e.g. of a hint
  preview?: Preview | null; // what the move that is looked at, or chosen, would do
}

// One line of what a move does, or of why it cannot be made.
export interface Fact {
  tone: 'good' | 'bad' | 'plain';
  text: string;
}

// One picture of a story that is told step by step, such as the tiling.
export interface Frame {
  view: View;
  text: string; // what happens here, in words; '' for nothing
  seat: number | null; // whose
  points: number | null;
  at: string[]; // things to point at, as in `focus`
}
