// The state of the table page: the connection, what the board shows, the move being chosen, hints.
import * as api from '../lib/api';
import { announceSoon, showNotice } from '../lib/announcements.svelte';
import { explain, describeMove } from '../boards/describe';
import { playOf } from '../boards/play';
import { TableConnection } from '../lib/connection.svelte';
import { pace, settings } from '../lib/settings.svelte';
import { sound } from '../lib/sound';
import type { Hint, Reply, State, TableEvent, WireError } from '../lib/types';
import type { Frame } from '../boards/types';
import { language, t } from '../lib/i18n.svelte';
import { PendingMove } from './pendingMove.svelte';
import { announceEvents, notifyTurn } from './notifications';
import { retryWhileBusy } from './hints';
import { PreviewStore } from './previews.svelte';
import { againstBots, joinNames, namesOf } from './seats';
import { Playback, roundEndFrames, type Scene } from './playback.svelte';
import { refusalText } from '../lib/errors';

export class TableController {
  readonly connection: TableConnection;
  readonly playback = new Playback(
    pace,
    () => document.hidden,
    (scene, frame) => this.#onShown(scene, frame),
    () => this.state?.moves !== undefined && !!this.state.clock?.base,
  );
  readonly pendingMove = new PendingMove(
    () => settings.confirm,
    (move) => void this.#play(move),
    () => this.state?.plies ?? 0,
  );
  readonly previews = new PreviewStore(
    (moves, signal) => api.preview(this.name, moves, signal),
    () => this.moves.length > 0,
  );
  hint = $state.raw<Hint | null>(null);
  thinking = $state(false);
  pointed = $state<string | null>(null); // the move of a hint that is shown
  coverLiftedFor = $state<number | null>(null); // the seat for which the cover was lifted
  takingSeat = false; // taking one's own seat is not announced
  typing = $state(false); // the dialog for a move in notation is open
  showsKeys = $state(false); // the list of keys is open

  constructor(readonly name: string) {
    this.connection = new TableConnection(name, (events, before, fresh) => this.#handleEvents(events, before, fresh));
  }

  end(): void {
    this.pendingMove.drop();
    this.playback.skip();
    this.connection.close();
  }

  readonly state = $derived.by((): State | null => this.connection.state);
  readonly names = $derived.by(() => namesOf(this.state?.seats ?? []));
  readonly scene = $derived.by(() => this.playback.shown);
  readonly hasHiddenInformation = $derived.by(() => !!this.state && !!playOf(this.state.game).spectatorHistory);
  // Whether several people share this device.
  readonly shared = $derived.by(() => (this.state?.you.length ?? 0) > 1);
  readonly covered = $derived.by(
    () =>
      this.shared &&
      this.hasHiddenInformation &&
      this.state?.status === 'playing' &&
      this.scene?.state.viewer !== this.coverLiftedFor,
  );
  // The moves that can be chosen now: none while the board is behind the game, covered, or waiting for a reply.
  readonly moves = $derived.by(() => {
    const open = this.playback.current && !this.covered && this.pendingMove.stage !== 'sent';
    return open && this.connection.state?.status === 'playing' ? (this.connection.state.moves ?? []) : [];
  });
  readonly canAskForHint = $derived.by(
    () => !!this.state && this.state.status === 'playing' && !!this.state.moves && againstBots(this.state),
  );
  // The move whose effects are shown: the one pointed at, otherwise the chosen one.
  readonly preview = $derived.by(() => this.previews.of(this.previews.move ?? this.pendingMove.move));
  readonly facts = $derived.by(() => {
    const view = this.scene?.state.position;
    return this.preview && view && this.state ? explain(this.state.game, this.preview, view) : [];
  });

  // Callbacks of the board.
  choose = (move: string | null): void => {
    if (move !== null && settings.confirm !== 'off') void this.previews.fetch(move);
    this.previews.look(null); // from now on the effects of the chosen move are shown
    this.pendingMove.choose(move);
  };
  look = (move: string | null): void => {
    if (this.moves.length && this.pendingMove.stage !== 'sent') this.previews.look(move);
  };

  lift(): void {
    this.coverLiftedFor = this.scene?.state.viewer ?? null;
  }

  // Send a command and show a notice if it is refused; `asked` helps to explain why.
  async command(type: string, fields: Record<string, unknown> = {}, asked = type): Promise<boolean> {
    const reply = await this.connection.send(type, fields);
    if (!reply.ok) showNotice(refusalText(reply.error, asked), 'bad');
    this.#applyStaleReply(reply);
    return reply.ok;
  }

  offer(what: string, fields: Record<string, unknown> = {}): Promise<boolean> {
    return this.command('offer', { what, ...fields }, what);
  }

  async requestHint(): Promise<void> {
    if (this.thinking || !this.canAskForHint) return;
    this.thinking = true;
    try {
      const hint = await retryWhileBusy(
        () => api.hint(this.name),
        this.state?.step,
        () => this.state?.step,
      );
      if (hint && hint.step === this.state?.step) this.#showHint(hint);
    } catch (problem) {
      showNotice(refusalText(problem instanceof api.ApiError ? problem.error : undefined, 'hint'), 'bad');
    }
    this.thinking = false;
  }

  #showHint(hint: Hint): void {
    this.hint = hint;
    this.pointed = hint.variations[0]?.move ?? null;
    if (this.pointed && this.state)
      announceSoon(describeMove(this.state.game, this.pointed, t('play.hint'), this.names));
  }

  closeHint(): void {
    this.hint = null;
    this.pointed = null;
  }

  async #play(move: string): Promise<void> {
    this.previews.stop();
    const reply = await this.connection.send('play', { move });
    if (reply.ok) {
      if (this.playback.current) this.pendingMove.drop();
      return;
    }
    this.pendingMove.drop();
    showNotice(this.#refusalText(move, reply.error), 'bad');
    this.#applyStaleReply(reply);
  }

  // Why a move was refused: by the rules of the game if possible.
  #refusalText(move: string, error: WireError | undefined): string {
    const view = this.scene?.state.position;
    if (error?.code === 'not-legal' && view && this.state) {
      const facts = explain(this.state.game, { move, legal: false, error }, view);
      if (facts.length) return facts.map((fact) => fact.text).join(' ');
    }
    return refusalText(error, 'play');
  }

  // A stale reply has a state but no events: show it at once.
  #applyStaleReply(reply: Reply): void {
    if (reply.ok || reply.error?.code !== 'stale' || !this.connection.state) return;
    if (this.playback.newest?.state.plies !== this.connection.state.plies)
      this.playback.jump(this.#scene(this.connection.state));
  }

  #scene(state: State): Scene {
    const plies = this.connection.history.filter(([seat]) => seat >= 0);
    const newest = plies.at(-1);
    const last = newest ? { seat: newest[0], move: newest[1] } : null;
    return { state, last, move: null, mine: false, frames: null };
  }

  #handleEvents(events: TableEvent[], before: State | null, fresh: boolean): void {
    const state = this.connection.state!;
    const played = events.filter((event) => event.type === 'played');
    const moved = before?.step !== state.step || before?.plies !== state.plies;
    if (fresh || !before || !moved) this.#refresh(state, fresh || !before);
    else if (played.length !== 1 || events.some((event) => event.type === 'taken-back'))
      this.playback.jump(this.#scene(state));
    else this.#pushMove(state, before, played[0]!);
    if (before?.status === 'playing' && state.status === 'over' && !played.length) sound('end');
    this.previews.begin(state.step);
    if (this.hint && this.hint.step !== state.step) this.closeHint();
    this.pendingMove.check(state.moves ?? []);
    if (!fresh)
      announceEvents(
        events.filter((event) => event.type !== 'sat' || !this.takingSeat),
        state,
        this.names,
      );
    if (!fresh) notifyTurn(state, before, this.names);
  }

  #refresh(state: State, reset: boolean): void {
    if (reset || !this.playback.shown) this.playback.jump(this.#scene(state));
    else this.playback.renew(state);
  }

  #pushMove(state: State, before: State, event: TableEvent): void {
    const seat = event.seat ?? 0;
    const move = event.move ?? '';
    const ply = state.plies - (event.deals?.length ?? 0);
    const mine = state.you.includes(seat) && state.seats[seat]?.kind === 'person';
    const scene: Scene = { ...this.#scene(state), move: { seat, move, ply }, mine };
    if (pace() && !document.hidden) scene.frames = roundEndFrames(this.name, before, state, scene.move!);
    this.playback.push(scene);
  }

  #onShown(scene: Scene, frame: Frame | null): void {
    this.pendingMove.seen(scene.state.plies);
    if (frame) {
      if (frame.points) sound('score');
      if (frame.text) announceSoon(frame.text);
    } else if (scene.move) sound('tile');
    if (!frame && scene.state.status === 'over' && scene.move) sound('end');
  }

  // Who has won, in words.
  readonly resultText = $derived.by(() => {
    const winners = this.state?.result?.winners ?? [];
    const who = joinNames(
      winners.map((seat) => this.names[seat] ?? ''),
      language(),
    );
    if (winners.length !== 1) return winners.length ? t('play.shared', { who }) : t('play.no-winner');
    const mine = this.state?.you.length === 1 && this.state.you[0] === winners[0];
    return mine ? t('play.you-win') : t('play.wins', { who });
  });
}
