// The wire protocol, version 2, as docs/wire.md describes it. Seats count from 0.

export const PROTOCOL_VERSION = 2;

export type GameName = string; // the server has the list of games

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

export interface ScoreItem {
  what: string;
  points: number[];
}

export interface Group {
  kind: string;
  size: number;
  cells: [number, number][];
  seat: number | null; // the seat that scores it
  scores: boolean; // whether it scores now
  contacts: Record<string, number>;
}

// What all positions have in common; each game has its own view (boards/GAME/view.ts).
export interface View {
  rules: string;
  phase: string;
  seat: number | null; // the seat to move; null if chance acts or the game is over
}

export type Ply = [number, string]; // the actor (-1 for chance) and the move

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
  breakdown?: ScoreItem[];
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

// What the server sends over the WebSocket.
export type ServerMessage =
  | ({ type: 'welcome'; version: number; heartbeat: number; state: State } & (
      | { fresh: true; history: Ply[]; chat_history: { seat: number; text: string }[] }
      | { fresh: false; events: TableEvent[] }
    ))
  | { type: 'update'; state: State; events: TableEvent[] }
  | ({ type: 'reply' } & Reply)
  | { type: 'presence'; here: number[]; watching: number }
  | { type: 'closing'; reconnect_delay: number };

// The reply to a command; a stale one brings the current state.
export interface Reply {
  id: string | null;
  ok: boolean;
  seq?: number;
  state?: State;
  error?: WireError;
}

export interface WireError {
  code: string;
  text: string;
  rule?: string;
  retry_delay?: number;
}

// One thing that a move does. Each game has its own types, generated from those of the library.
export interface Effect {
  type: string;
}

export interface Preview {
  move: string;
  legal: boolean;
  effects?: Effect[];
  error?: WireError;
}

export interface Variation {
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
  variations: Variation[];
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
  breakdown: ScoreItem[] | null;
}

export interface Study {
  game: GameName;
  variant: string;
  position: string;
  dealt: { move: string; position: string }[]; // what chance did, and the position after each step
  view: View;
  before: View | null; // before the last move
  actor: number | null; // -1 for chance, null if the game is over
  moves: string[];
  effects: Effect[] | null; // of the last move that was played
  previews: Preview[];
  result: Result | null;
  breakdown: ScoreItem[] | null;
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
  hidden_information: boolean;
  help: string;
}

export interface LobbyTable {
  table: string;
  game: GameName;
  variant: string;
  seats: { kind: string; name: string }[];
  clock: { base?: number; increment?: number; days?: number } | null;
  created: number;
}

// Public tables, the newest first.
export interface Lobby {
  tables: LobbyTable[]; // with an open seat
  running: LobbyTable[]; // with a running game
}
