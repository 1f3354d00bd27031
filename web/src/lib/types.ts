// Written by `make golden` from src/tilery/table/wire.py, responses.py and src/tilery/server/wire.py: change it there.

// Seats, lines and columns count from 0. Moves, effects and views of each game: boards/GAME/wire.ts.

export const PROTOCOL_VERSION = 3;

// The name of a game; `GET /api/games` lists them.
export type GameName = string;

// A move of one position. Each game has a subclass for each kind of move, whose fields are the parts of the move. A move can be used wherever a text or an action is accepted: it is equal to its text, and `int(move)` is its action. Seats, lines and columns count from 0. As JSON, a move is a list: its kind, its text, its action and its parts.
export type Move = [kind: string, text: string, action: number, ...parts: unknown[]];

// One thing that happened in a ply. Each game has a subclass for each kind; seats, lines and columns count from 0. `Position.effects` returns all effects of a move, and they are complete: applied in order to the view before the move, they give the view after it, without any knowledge of the rules.
export interface Effect {
  type: string;
}

// A position in readable values. Each game has a subclass with the fields of its own.
export interface View {
  rules: string; // the variant
  phase: string;
  seat: number | null; // whose turn it is, or for whom chance acts; null if it is nobody's turn
}

// What leads from one view to another. A path is the names of fields and the indices of lists, joined by dots.
export interface ViewChanges {
  set?: Record<string, unknown>; // path: its new value
  splice?: Record<string, [number, number, unknown[]]>; // path of a list: from this index on, drop so many items and insert these
}

// A seat of a table.
export interface Seat {
  kind: 'bot' | 'open' | 'person';
  name: string; // for a bot its own name, unless it plays on for a person
  bot: string; // the bot that plays; empty for people
  gone: boolean; // the person has left while the game goes on
  lost: 'resigned' | 'time' | ''; // empty if the seat has not lost
}

// The time that each seat gets: `base` and `increment`, or `days`.
export interface ClockSetting {
  base?: number; // seconds for the game
  increment?: number; // seconds after each move
  days?: number; // for each move; then there is no base and no increment
}

// The clocks of a table.
export interface Clock {
  base?: number; // seconds for the game
  increment?: number; // seconds after each move
  days?: number; // for each move; then there is no base and no increment
  left: number[]; // seconds that each seat has at this moment; only the clock of `actor` is running
}

// An offer that stands.
export interface OpenOffer {
  offer: number; // its number, for `answer`
  what: 'draw' | 'rematch' | 'replace' | 'takeback';
  by: number[]; // the seats of the person who made it
  seat: number | null; // for `replace`; otherwise null
  bot: string; // for `replace`; otherwise empty
  agreed: number[]; // seats that have agreed
}

// The result of a game.
export interface Result {
  scores: number[]; // points of each seat
  winners: number[]; // seats; several share a win
  ended_by: string; // the ending by the rules, such as `row`; or `resigned`, `time`, `draw`
  rule: string; // the rule that ended it; empty if none did
}

// Where points come from.
export interface ScoreItem {
  code: string;
  points: number[]; // of each seat
  arguments?: Record<string, number | string | null>; // of the code
}

// A table as one person may see it.
export interface State {
  table: string; // its name
  game: string;
  variant: string; // as it is written in a position
  commitment: string; // the server's commitment to the deals
  public: boolean; // as given when the table was created
  chat: boolean; // as given when the table was created
  seats: Seat[];
  before?: string; // of a rematch: the previous table
  status: 'closed' | 'open' | 'over' | 'playing'; // closed: it was never started
  seq: number; // the number of the last event
  step: number; // the number of the last event that changed the game, to be sent with commands
  plies: number; // how many plies the game has had, deals included
  actor: number | null; // the seat to move; null if there is none
  clock: Clock | null;
  offer: OpenOffer | null; // the offer that stands
  result?: Result; // only when the game is over
  breakdown?: ScoreItem[]; // only when the game is over
  entropy?: string; // only when the game is over: what everyone added
  secret?: string; // only when the game is over: what determined the deals
  rematch?: string; // the table of the rematch, if one was agreed on
  you: number[]; // your seats, also those that a bot has taken over; empty for everybody else
  host: boolean; // whether you created the table
  viewer: number | null; // the seat from whose perspective `position` is shown; null for a spectator
  position: View | null; // null before the game
  moves?: Move[]; // all legal moves, if you are to move
}

// The fields of a state that have changed, with their new values; absent fields are as before.
export interface StateChanges {
  seq: number;
  step?: number;
  plies?: number;
  actor?: number | null;
  clock?: Clock;
  offer?: OpenOffer | null;
  viewer?: number | null;
  position?: View; // the whole position, if it is shown from another perspective
  position_changes?: ViewChanges; // otherwise what has changed in it
  moves?: Move[];
}

// A move of a player, or one step of chance.
export interface Ply {
  actor: number; // -1 is chance
  move: Move;
  effects: Effect[]; // what it did
}

// The table was created.
export interface Created {
  type: 'created';
  seq: number; // its number
  at: number; // seconds since 1970, by the server's clock
  who?: number[]; // seats of the person whose command it was; absent if no command or a bot caused it
  game: string;
  rules: string;
  names: string[];
  bots: string[];
  commitment: string;
  clock: ClockSetting | null;
  public: boolean;
  chat: boolean;
  before: string;
}

// Someone took a seat.
export interface Sat {
  type: 'sat';
  seq: number; // its number
  at: number; // seconds since 1970, by the server's clock
  who?: number[]; // seats of the person whose command it was; absent if no command or a bot caused it
  seat: number;
  name: string;
  entropy: string;
}

// A person left.
export interface Left {
  type: 'left';
  seq: number; // its number
  at: number; // seconds since 1970, by the server's clock
  who?: number[]; // seats of the person whose command it was; absent if no command or a bot caused it
  seats: number[];
}

// A person who had left came back.
export interface Returned {
  type: 'returned';
  seq: number; // its number
  at: number; // seconds since 1970, by the server's clock
  who?: number[]; // seats of the person whose command it was; absent if no command or a bot caused it
  seats: number[];
}

// A seat has a new name.
export interface Renamed {
  type: 'renamed';
  seq: number; // its number
  at: number; // seconds since 1970, by the server's clock
  who?: number[]; // seats of the person whose command it was; absent if no command or a bot caused it
  seat: number;
  name: string;
}

// The host gave a seat to a bot, or opened it.
export interface Arranged {
  type: 'arranged';
  seq: number; // its number
  at: number; // seconds since 1970, by the server's clock
  who?: number[]; // seats of the person whose command it was; absent if no command or a bot caused it
  seat: number;
  bot: string;
}

// The game began.
export interface Started {
  type: 'started';
  seq: number; // its number
  at: number; // seconds since 1970, by the server's clock
  who?: number[]; // seats of the person whose command it was; absent if no command or a bot caused it
  entropy: string; // what everyone added
  plies: Ply[]; // the first chance outcomes
}

// A move, and the chance outcomes after it.
export interface Played {
  type: 'played';
  seq: number; // its number
  at: number; // seconds since 1970, by the server's clock
  who?: number[]; // seats of the person whose command it was; absent if no command or a bot caused it
  seat: number;
  plies: Ply[];
}

// The game is back at this number of plies.
export interface TakenBack {
  type: 'taken-back';
  seq: number; // its number
  at: number; // seconds since 1970, by the server's clock
  who?: number[]; // seats of the person whose command it was; absent if no command or a bot caused it
  plies: number;
}

// A seat has lost.
export interface Resigned {
  type: 'resigned';
  seq: number; // its number
  at: number; // seconds since 1970, by the server's clock
  who?: number[]; // seats of the person whose command it was; absent if no command or a bot caused it
  seat: number;
  why: 'resigned' | 'time';
  bot: string; // plays on if the game does
}

// Everyone agreed on a draw.
export interface Drawn {
  type: 'drawn';
  seq: number; // its number
  at: number; // seconds since 1970, by the server's clock
  who?: number[]; // seats of the person whose command it was; absent if no command or a bot caused it
}

// An offer stands; its number is this `seq`.
export interface Offered {
  type: 'offered';
  seq: number; // its number
  at: number; // seconds since 1970, by the server's clock
  who?: number[]; // seats of the person whose command it was; absent if no command or a bot caused it
  what: 'draw' | 'rematch' | 'replace' | 'takeback';
  seat: number | null;
  bot: string;
}

// One more person agreed.
export interface Agreed {
  type: 'agreed';
  seq: number; // its number
  at: number; // seconds since 1970, by the server's clock
  who?: number[]; // seats of the person whose command it was; absent if no command or a bot caused it
}

// The offer no longer stands.
export interface Declined {
  type: 'declined';
  seq: number; // its number
  at: number; // seconds since 1970, by the server's clock
  who?: number[]; // seats of the person whose command it was; absent if no command or a bot caused it
}

// A bot plays on for a person who has left.
export interface Replaced {
  type: 'replaced';
  seq: number; // its number
  at: number; // seconds since 1970, by the server's clock
  who?: number[]; // seats of the person whose command it was; absent if no command or a bot caused it
  seat: number;
  bot: string;
}

// A chat message. It is text, never markup.
export interface Said {
  type: 'said';
  seq: number; // its number
  at: number; // seconds since 1970, by the server's clock
  who?: number[]; // seats of the person whose command it was; absent if no command or a bot caused it
  seat: number;
  text: string;
}

// The server was down: the time of this turn starts again.
export interface Resumed {
  type: 'resumed';
  seq: number; // its number
  at: number; // seconds since 1970, by the server's clock
  who?: number[]; // seats of the person whose command it was; absent if no command or a bot caused it
}

// The game is over.
export interface Revealed {
  type: 'revealed';
  seq: number; // its number
  at: number; // seconds since 1970, by the server's clock
  who?: number[]; // seats of the person whose command it was; absent if no command or a bot caused it
  secret: string; // behind the deals
}

// A rematch was agreed on.
export interface Rematched {
  type: 'rematched';
  seq: number; // its number
  at: number; // seconds since 1970, by the server's clock
  who?: number[]; // seats of the person whose command it was; absent if no command or a bot caused it
  table: string; // of the rematch
}

// The table was closed before the game began.
export interface Closed {
  type: 'closed';
  seq: number; // its number
  at: number; // seconds since 1970, by the server's clock
  who?: number[]; // seats of the person whose command it was; absent if no command or a bot caused it
}

// A chat message.
export interface ChatMessage {
  seat: number;
  text: string;
}

// The response to `hello`.
export interface Welcome {
  type: 'welcome';
  version: number; // of the protocol
  heartbeat: number; // send a `ping` if you have sent no message for this many seconds
  fresh: boolean; // false: `events` contains exactly what you have missed; true: discard what you knew
  history?: Ply[]; // only if `fresh`: all plies so far
  chat_history?: ChatMessage[]; // only if `fresh`: the last 50 chat messages
  events: TableEvent[]; // what has happened since `after`; empty if `fresh`
  state: State; // the current state of the table
}

// Something has happened.
export interface Update {
  type: 'update';
  after: number; // the `seq` of the state that `changes` is about: the last event before these
  events: TableEvent[]; // one or more, in order
  state?: State; // the whole state after them, or
  changes?: StateChanges; // what has changed in it
}

// Why something was refused.
export interface ErrorInfo {
  kind: string; // how a program should react
  code: string; // the exact reason
  text: string; // the reason in English
  arguments?: Record<string, number | string | null>; // of the code
  rule?: string; // the id of the rule that forbids it
  line?: number | null; // in a text that cannot be read, from 1
  column?: number | null;
  move?: number | null; // which of the given moves, from 0
  retry_delay?: number | null; // with some kinds, such as `busy`: try again after this many seconds
}

// The outcome of a command, sent once it is safely stored or refused.
export interface Reply {
  type: 'reply';
  id: string | null; // of the command; null if no id could be read
  ok: boolean; // whether it was carried out
  seq?: number; // if `ok`: the number of its first event
  error?: ErrorInfo; // if not `ok`: the reason
  state?: State; // only if the command was stale: the current state
}

// Who is looking at the table now, as far as this server process knows.
export interface Presence {
  type: 'presence';
  here: number[]; // seats whose players are connected
  watching: number; // the number of spectators: people who play no seat
}

// The server is about to stop; nothing is lost.
export interface Closing {
  type: 'closing';
  reconnect_delay: number; // reconnect after this many seconds
}

// The answer to a ping.
export interface Pong {
  type: 'pong';
}

// The body of every response that is not a success.
export interface ErrorResponse {
  error: ErrorInfo;
}

// The response to whoever created a table or took a seat.
export interface Seated {
  table: string; // the name
  token: string; // yours; it is sent here and never again
  invite: string; // the path of the link for others
  seat_link: string; // the path of your private link
  commitment: string; // the server's commitment to the deals to come
  seats: number[]; // yours
}

// The table of a rematch.
export interface RematchTable {
  table: string;
  invite: string; // the path of the link for others
}

// A variant of a game, for menus.
export interface Variant {
  variant: string;
  about: string;
}

// A bot that plays at tables.
export interface BotInfo {
  name: string;
  about: string;
}

// A game that can be played.
export interface GameInfo {
  name: string; // for programs
  title: string; // for people
  version: number; // of the rules
  seats: number[]; // the possible numbers of seats
  variants: Variant[];
  bots: Record<string, BotInfo[]>; // for each number of seats, the weakest first
  hidden_information: boolean; // whether players see different things
  help: string; // how moves are written
}

// The games that can be played.
export interface Games {
  games: GameInfo[];
}

// A seat of a table in the lobby.
export interface LobbySeat {
  kind: 'bot' | 'open' | 'person';
  name: string;
}

// A table in the lobby.
export interface LobbyTable {
  table: string;
  game: string;
  variant: string;
  seats: LobbySeat[];
  clock: ClockSetting | null;
  created: number; // seconds since 1970
}

// Public tables, each list at most 50, the newest first.
export interface Lobby {
  tables: LobbyTable[]; // with an open seat
  running: LobbyTable[]; // where a game goes on
}

// A server.
export interface ServerInfo {
  version: string;
  web_client_hash: string; // empty if no web client is built
  public_url: string; // its address for others on the network; empty if unknown
}

// What a move would do, or why it is not legal.
export interface Preview {
  typed: string; // as given; written as people type it, it is read all the same
  move?: Move; // if it is legal
  effects?: Effect[]; // if it is legal
  error?: ErrorInfo; // if it is not
}

// Previews of moves at a table.
export interface Previews {
  step: number; // the `step` of the state that they are based on
  previews: Preview[]; // one for each move, in the same order
}

// A move with the continuation that the engine expects.
export interface Variation {
  moves: Move[]; // the move and the expected continuation, up to 12 moves
  win: number; // your win probability, 0 to 1
  margin: number; // the expected lead in points over the best other side
  nodes: number; // spent on it; 0 if the search does not count by moves
  solved: boolean; // whether this is proven
}

// What the engine would play.
export interface Hint {
  step: number; // the `step` of the state that the hint is for
  engine: string; // name and version of the search
  variations: Variation[]; // up to 5, the best first
  horizon: 'game' | 'round'; // how far `solved` reaches
  solved: boolean; // whether the best move is proven
  depth: number; // how much was searched
  nodes: number;
}

// A ply of a game that is replayed or studied, with the position after it.
export interface Step {
  actor: number; // -1 is chance
  move: Move;
  effects: Effect[]; // what it did
  changes: ViewChanges; // of the position
}

// A record, and one of its positions.
export interface RecordInfo {
  game: string;
  variant: string;
  players: string[]; // names
  tags: Record<string, string>; // all other tags
  result: string; // the value of the tag `Result`
  plies: number; // of the whole game
  ply: number; // the number of plies before `position`
  position: View;
}

// A whole game.
export interface Replay {
  game: string;
  variant: string;
  players: string[]; // names
  tags: Record<string, string>; // all other tags
  result: string; // the value of the tag `Result`
  start: View; // the position before the first ply
  steps: Step[];
  breakdown: ScoreItem[] | null; // if the game is over: where the points come from
}

// A ply on the analysis board.
export interface StudyStep {
  actor: number; // -1 is chance
  move: Move;
  effects: Effect[]; // what it did
  changes: ViewChanges; // of the position
  text: string; // the position after it, in notation
}

// A position, and how it came about.
export interface Study {
  game: string;
  variant: string;
  start: View; // the position that was given
  steps: StudyStep[]; // the given moves, then what chance did
  text: string; // the last position, in notation
  actor: number | null; // whose turn it is: a seat, -1 for chance; null if the game is over
  moves: Move[]; // all legal moves, also for chance; empty if only another player knows them
  previews: Preview[];
  result: Result | null; // if the game is over
  breakdown: ScoreItem[] | null; // if the game is over
}

export type TableEvent =
  | Created
  | Sat
  | Left
  | Returned
  | Renamed
  | Arranged
  | Started
  | Played
  | TakenBack
  | Resigned
  | Drawn
  | Offered
  | Agreed
  | Declined
  | Replaced
  | Said
  | Resumed
  | Revealed
  | Rematched
  | Closed;

export type ServerMessage = Welcome | Update | Reply | Presence | Closing | Pong;

// Who gets a seat: the host (`me`, for any number of seats), a bot, or the first person who takes it (`open`).
export interface SeatPlan {
  kind: 'bot' | 'me' | 'open';
  name?: string;
  bot?: string;
}

// What to play, and with whom.
export interface Setup {
  game: string;
  seats: SeatPlan[]; // in the order of play
  variant?: string; // the options without the number of seats, such as `grey,specials`
  clock?: ClockSetting | null;
  public?: boolean;
  chat?: boolean;
}

// Take an open seat (the first one if `seat` is None), and add entropy to the deals.
export interface Sit {
  type: 'sit';
  id: string;
  step: number;
  name: string;
  seat?: number | null;
  entropy?: string;
}

// Before the game: give up one's seats. During the game: be gone until one's next command; a bot may take over.
export interface Leave {
  type: 'leave';
  id: string;
  step: number;
}

// Change the name at one of one's own seats.
export interface Rename {
  type: 'rename';
  id: string;
  step: number;
  name: string;
  seat?: number | null;
}

// For the host, before the game: give a seat to a bot, or open it.
export interface Arrange {
  type: 'arrange';
  id: string;
  step: number;
  seat: number;
  bot?: string | null;
}

// Start the game when every seat is taken, and add entropy to the deals.
export interface Start {
  type: 'start';
  id: string;
  step: number;
  entropy?: string;
}

// Make a move, in the game's notation.
export interface Play {
  type: 'play';
  id: string;
  step: number;
  move: string;
}

// Resign with one of one's own seats.
export interface Resign {
  type: 'resign';
  id: string;
  step: number;
  seat?: number | null;
}

// Propose a take-back, a draw, a bot for somebody who has left (`seat`, `bot`), or a rematch.
export interface Offer {
  type: 'offer';
  id: string;
  step: number;
  what: 'draw' | 'rematch' | 'replace' | 'takeback';
  seat?: number | null;
  bot?: string | null;
}

// Agree to an offer, or decline it (one's own offer: withdraw it); `offer` is the number of its event.
export interface Answer {
  type: 'answer';
  id: string;
  step: number;
  offer: number;
  yes: boolean;
}

// Write a chat message.
export interface Say {
  type: 'say';
  id: string;
  step: number;
  text: string;
}

// The first message.
export interface Hello {
  type: 'hello';
  version?: number; // of the protocol
  token?: string; // who you are; without one the cookie counts, or you are a spectator
  after?: number | null; // when you reconnect: the last `seq` that you know
  chat?: boolean; // whether you want to receive chat
}

// A keepalive; the reply is a pong.
export interface Ping {
  type: 'ping';
}

// A table to create.
export interface TableRequest {
  game: string;
  seats: SeatPlan[]; // in the order of play
  variant?: string; // the options without the number of seats, such as `grey,specials`
  clock?: ClockSetting | null;
  public?: boolean;
  chat?: boolean;
  token?: string; // of your own choice (32 random hexadecimal digits in lower case); otherwise a new one
}

// A seat to take.
export interface SeatRequest {
  name: string; // up to 24 characters
  seat?: number | null; // which one; otherwise the first open one
  entropy?: string; // up to 64 digits 0-9a-f of your own, which contribute to the deals
  token?: string; // of your own choice; otherwise the one that the request carries, or a new one
  id?: string; // of the command; otherwise a new one
}

// The token of a seat, from the fragment (#) of a private link.
export interface SeatToken {
  token: string;
}

// A position, and what is to be done with it.
export interface StudyRequest {
  position: string; // in notation, whole or as a seat sees it
  moves?: string[]; // to be played from there, deals included
  deal?: boolean; // whether chance then acts until it is somebody's turn, with its true probabilities
  preview?: string[]; // moves to preview after that
}

export type Command = Sit | Leave | Rename | Arrange | Start | Play | Resign | Offer | Answer | Say;
