// What the server says of games that the library plays, written by `make golden` (tests/web_fixtures.py).
import { applyChanges } from '../src/lib/changes';
import type {
  GameName,
  Move,
  Ply,
  Preview,
  Replay,
  State,
  Step,
  Study,
  StudyRequest,
  Update,
  View,
  Welcome,
} from '../src/lib/types';
import type { AzulEffect, AzulView } from '../src/boards/azul/wire';
import type { SchokolyView } from '../src/boards/schokoly/wire';

const files = import.meta.glob<string>('./fixtures/*.json', { query: '?raw', import: 'default', eager: true });
const read = <T>(name: string): T => JSON.parse(files[`./fixtures/${name}.json`]!) as T;

// A move of Azul, and what chance did after it.
export interface Played {
  game: GameName;
  before: AzulView;
  seat: number;
  move: Move;
  effects: AzulEffect[];
  end: AzulView; // after the move
  deals: Ply[]; // what chance did then
  after: AzulView; // after the deals
}

function played({ game, start, steps }: { game: GameName; start: AzulView; steps: Step[] }): Played {
  const [{ actor, move, effects, changes }, ...deals] = steps as [Step, ...Step[]];
  const end = applyChanges(start, changes);
  const after = deals.reduce((view, step) => applyChanges(view, step.changes), end);
  return { game, before: start, seat: actor, move, effects: effects as AzulEffect[], end, deals, after };
}

// Moves that differ in what they do.
const PLAYED = read<Parameters<typeof played>[0][]>('azul-steps').map(played);
const endsOffer = ({ effects }: Played) => effects.some(({ type }) => type === 'offer-ended');
export const TAKES = PLAYED.filter((one) => one.move[0] === 'take' && !endsOffer(one));
export const TILINGS = PLAYED.filter((one) => one.move[0] === 'cell' || endsOffer(one));

// What a player to move sees.
export interface Turn<V = View> {
  game: GameName;
  names: string[];
  seat: number; // whose turn it is, and whose view it is
  view: V;
  moves: Move[];
  last: Ply | null; // the last move before it
  previews: Preview[]; // of some moves, the last ones illegal
}
export const TURNS = read<Turn[]>('turns');

// The first turn of Schokoly in such a variant and phase.
export const schokolyTurn = (rules: string, phase: string) =>
  TURNS.find(
    ({ game, view }) => game === 'schokoly' && view.rules === rules && view.phase === phase,
  )! as Turn<SchokolyView>;

export const REFUSALS = read<{ game: GameName; view: View; preview: Preview }[]>('refusals');
export const REPLAYS = read<Replay[]>('replays');
export const STUDIES = read<{ request: StudyRequest; response: Study }[]>('studies');

// What the person in the first seat receives; `seats` says who plays: a, b: people, *: a bot, aa: two on one device.
export interface TableMessages {
  game: GameName;
  seats: string;
  welcome: Welcome;
  updates: Update[];
  states: State[]; // after each update
}
export const TABLES = read<TableMessages[]>('tables');
