// A table as somebody sits at it or watches it: the line, what the board shows, the move being chosen, hints.
import * as api from '../lib/api';
import { notice } from '../lib/announce.svelte';
import { explain, moveWords } from '../boards/words';
import { Link, type Answer } from '../lib/link.svelte';
import { pace, settings } from '../lib/settings.svelte';
import { sound } from '../lib/sound';
import type { Frame, Hint, State, TableEvent, WireError } from '../lib/types';
import { language, t } from '../lib/words.svelte';
import { Choice } from './choice.svelte';
import { heard } from './hearing';
import { patiently } from './patience';
import { Looking } from './looking.svelte';
import { againstBots, joined, namesOf } from './names';
import { Playback, type Scene } from './playback.svelte';
import { reason } from './reasons';
import { say } from './saying';
import { storyOf } from './story';
import { ring } from './turn';

export class Desk {
  readonly link: Link;
  readonly playback = new Playback(
    pace,
    () => document.hidden,
    (scene, frame) => this.#shows(scene, frame),
    () => this.state?.moves !== undefined && !!this.state.clock?.base,
  );
  readonly choice = new Choice(
    () => settings.confirm,
    (move) => void this.#play(move),
    () => this.state?.plies ?? 0,
  );
  readonly looking = new Looking(
    (moves, signal) => api.preview(this.name, moves, signal),
    () => this.moves.length > 0,
  );
  hint = $state.raw<Hint | null>(null);
  thinking = $state(false);
  pointed = $state<string | null>(null); // which move of a hint is shown
  lifted = $state<number | null>(null); // for whom the cover was lifted
  sitting = false; // one's own coming is no news
  typing = $state(false); // a move in notation
  asksKeys = $state(false); // for the list of keys

  constructor(readonly name: string) {
    this.link = new Link(name, (events, before, fresh) => this.#happened(events, before, fresh));
  }

  end(): void {
    this.choice.drop();
    this.playback.skip();
    this.link.end();
  }

  readonly state = $derived.by((): State | null => this.link.state);
  readonly names = $derived.by(() => namesOf(this.state?.seats ?? []));
  readonly scene = $derived.by(() => this.playback.shown);
  readonly secret = $derived.by(() => this.state?.game === 'schokoly');
  // Several people at this one device.
  readonly shared = $derived.by(() => (this.state?.you.length ?? 0) > 1);
  readonly covered = $derived.by(
    () => this.shared && this.secret && this.state?.status === 'playing' && this.scene?.state.viewer !== this.lifted,
  );
  // What can be chosen now: nothing while the board is behind, covered, or waits for an answer.
  readonly moves = $derived.by(() => {
    const open = this.playback.current && !this.covered && this.choice.stage !== 'sent';
    return open && this.link.state?.status === 'playing' ? (this.link.state.moves ?? []) : [];
  });
  readonly helped = $derived.by(
    () => !!this.state && this.state.status === 'playing' && !!this.state.moves && againstBots(this.state),
  );
  // The move that is told about: what is pointed at, or else what is chosen.
  readonly preview = $derived.by(() => this.looking.of(this.looking.move ?? this.choice.move));
  readonly facts = $derived.by(() => {
    const view = this.scene?.state.position;
    return this.preview && view && this.state ? explain(this.state.game, this.preview, view) : [];
  });

  // What the board calls.
  choose = (move: string | null): void => {
    if (move !== null && settings.confirm !== 'off') void this.looking.fetch(move);
    this.looking.look(null); // from now on the chosen move is told about
    this.choice.choose(move);
  };
  look = (move: string | null): void => {
    if (this.moves.length && this.choice.stage !== 'sent') this.looking.look(move);
  };

  lift(): void {
    this.lifted = this.scene?.state.viewer ?? null;
  }

  // A command with its refusal shown; `asked` helps to say why.
  async tell(type: string, fields: Record<string, unknown> = {}, asked = type): Promise<boolean> {
    const answer = await this.link.send(type, fields);
    if (!answer.ok) notice(reason(answer.error, asked), 'bad');
    this.#follow(answer);
    return answer.ok;
  }

  offer(what: string, fields: Record<string, unknown> = {}): Promise<boolean> {
    return this.tell('offer', { what, ...fields }, what);
  }

  async help(): Promise<void> {
    if (this.thinking || !this.helped) return;
    this.thinking = true;
    try {
      const hint = await patiently(
        () => api.hint(this.name),
        this.state?.step,
        () => this.state?.step,
      );
      if (hint && hint.step === this.state?.step) this.#point(hint);
    } catch (problem) {
      notice(reason(problem instanceof api.Refused ? problem.error : undefined, 'hint'), 'bad');
    }
    this.thinking = false;
  }

  #point(hint: Hint): void {
    this.hint = hint;
    this.pointed = hint.lines[0]?.move ?? null;
    if (this.pointed && this.state) say(moveWords(this.state.game, this.pointed, t('play.hint'), this.names));
  }

  closeHint(): void {
    this.hint = null;
    this.pointed = null;
  }

  async #play(move: string): Promise<void> {
    this.looking.stop();
    const answer = await this.link.send('play', { move });
    if (answer.ok) {
      if (this.playback.current) this.choice.drop();
      return;
    }
    this.choice.drop();
    notice(this.#why(move, answer.error), 'bad');
    this.#follow(answer);
  }

  // The rules' own reason in the words of the game, if it has some.
  #why(move: string, error: WireError | undefined): string {
    const view = this.scene?.state.position;
    if (error?.code === 'not-legal' && view && this.state) {
      const facts = explain(this.state.game, { move, legal: false, error }, view);
      if (facts.length) return facts.map((fact) => fact.text).join(' ');
    }
    return reason(error, 'play');
  }

  // A stale answer brings a state with no events.
  #follow(answer: Answer): void {
    if (answer.ok || answer.error?.code !== 'stale' || !this.link.state) return;
    if (this.playback.newest?.state.plies !== this.link.state.plies) this.playback.jump(this.#scene(this.link.state));
  }

  #scene(state: State): Scene {
    const plies = this.link.history.filter(([seat]) => seat >= 0);
    const newest = plies.at(-1);
    const last = newest ? { seat: newest[0], move: newest[1] } : null;
    return { state, last, move: null, mine: false, story: null };
  }

  #happened(events: TableEvent[], before: State | null, fresh: boolean): void {
    const state = this.link.state!;
    const played = events.filter((event) => event.type === 'played');
    const moved = before?.step !== state.step || before?.plies !== state.plies;
    if (fresh || !before || !moved) this.#settle(state, fresh || !before);
    else if (played.length !== 1 || events.some((event) => event.type === 'taken-back'))
      this.playback.jump(this.#scene(state));
    else this.#moved(state, before, played[0]!);
    if (before?.status === 'playing' && state.status === 'over' && !played.length) sound('end');
    this.looking.begin(state.step);
    if (this.hint && this.hint.step !== state.step) this.closeHint();
    this.choice.check(state.moves ?? []);
    if (!fresh)
      heard(
        events.filter((event) => event.type !== 'sat' || !this.sitting),
        state,
        this.names,
      );
    if (!fresh) ring(state, before, this.names);
  }

  #settle(state: State, anew: boolean): void {
    if (anew || !this.playback.shown) this.playback.jump(this.#scene(state));
    else this.playback.renew(state);
  }

  #moved(state: State, before: State, event: TableEvent): void {
    const seat = event.seat ?? 0;
    const move = event.move ?? '';
    const ply = state.plies - (event.deals?.length ?? 0);
    const mine = state.you.includes(seat) && state.seats[seat]?.kind === 'person';
    const scene: Scene = { ...this.#scene(state), move: { seat, move, ply }, mine };
    if (pace() && !document.hidden) scene.story = storyOf(this.name, before, state, scene.move!);
    this.playback.push(scene);
  }

  #shows(scene: Scene, frame: Frame | null): void {
    this.choice.seen(scene.state.plies);
    if (frame) {
      if (frame.points) sound('score');
      if (frame.text) say(frame.text);
    } else if (scene.move) sound('tile');
    if (!frame && scene.state.status === 'over' && scene.move) sound('end');
  }

  // Who has won, in words.
  readonly ending = $derived.by(() => {
    const winners = this.state?.result?.winners ?? [];
    const who = joined(
      winners.map((seat) => this.names[seat] ?? ''),
      language(),
    );
    if (winners.length !== 1) return winners.length ? t('play.shared', { who }) : t('play.no-winner');
    const mine = this.state?.you.length === 1 && this.state.you[0] === winners[0];
    return mine ? t('play.you-win') : t('play.wins', { who });
  });
}
