// The state of the table page: the connection, what the board shows, the move being chosen, hints.
import * as api from '../lib/api';
import { announceSoon, showNotice } from '../lib/announcements.svelte';
import { describeMove, errorIn, explain } from '../boards/describe';
import { playOf } from '../boards/play';
import { TableConnection } from '../lib/connection.svelte';
import { pace, settings } from '../lib/settings.svelte';
import { sound } from '../lib/sound';
import { findMove, textOf } from '../lib/moves';
import { playedSeats } from '../lib/playedSeats';
import type { Hint, Played, Preview, Reply, State, TableEvent } from '../lib/types';
import type { Frame } from '../boards/types';
import { language, t } from '../lib/i18n.svelte';
import { PendingMove } from './pendingMove.svelte';
import { announceEvents, notifyTurn } from './notifications';
import { retryWhileBusy } from './hints';
import { PreviewStore } from './previews.svelte';
import { againstBots, joinNames, namesOf } from './seats';
import { Playback, type Scene } from './playback.svelte';

export class TableController {
  readonly connection: TableConnection;
  readonly playback = new Playback(
    pace,
    () => document.hidden,
    (scene, frame) => this.#onShown(scene, frame),
    () => !!this.state?.moves?.length && !!this.state.clock?.base,
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
  #hint = $state.raw<Hint | null>(null);
  thinking = $state(false);
  #pointed = $state<string | null>(null);
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
  // Whether the board shows what only one of the players may see.
  readonly #showsSecrets = $derived.by(() => {
    const view = this.scene?.state.position;
    return !!view && !!this.state && (playOf(this.state.game).viewer(view) ?? -1) >= 0;
  });
  // The seats that are played at this device.
  readonly mine = $derived.by(() => (this.state ? playedSeats(this.state) : []));
  // Whether several people share this device.
  readonly shared = $derived.by(() => this.mine.length > 1);
  readonly covered = $derived.by(
    () =>
      this.shared &&
      this.#showsSecrets &&
      this.state?.status === 'playing' &&
      this.scene?.state.viewer !== this.coverLiftedFor,
  );
  // The moves that can be chosen now: none while the board is behind the game, covered, or waiting for a reply.
  readonly moves = $derived.by(() => {
    const open = this.playback.current && !this.covered && this.pendingMove.stage !== 'sent';
    return open && this.connection.state?.status === 'playing' ? (this.connection.state.moves ?? []) : [];
  });
  readonly canAskForHint = $derived.by(
    () => !!this.state && this.state.status === 'playing' && !!this.state.moves?.length && againstBots(this.state),
  );
  // A hint is good for one step of the game only.
  readonly hint = $derived.by(() => (this.#hint && this.#hint.step === this.state?.step ? this.#hint : null));
  // The move of a hint that is shown.
  readonly pointed = $derived.by(() => (this.hint ? this.#pointed : null));
  // The move whose effects are shown: the one pointed at, otherwise the chosen one.
  readonly preview = $derived.by((): Preview | null => {
    const [pointed, chosen] = [this.previews.move, this.pendingMove.move];
    const known = this.previews.of(pointed ?? chosen);
    const move = pointed === null ? findMove(this.state?.moves ?? [], chosen) : undefined;
    return known ?? (move ? { typed: textOf(move), move } : null);
  });
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

  // Send a command and show a notice if it is refused.
  async command(type: string, fields: Record<string, unknown> = {}): Promise<boolean> {
    const reply = await this.connection.send(type, fields);
    if (!reply.ok) this.#showError(reply.error);
    this.#applyStaleReply(reply);
    return reply.ok;
  }

  #showError(problem: unknown): void {
    showNotice(errorIn(this.state?.game ?? '', problem), 'bad');
  }

  offer(what: string, fields: Record<string, unknown> = {}): Promise<boolean> {
    return this.command('offer', { what, ...fields });
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
      if (hint) this.#showHint(hint);
    } catch (problem) {
      this.#showError(problem);
    }
    this.thinking = false;
  }

  #showHint(hint: Hint): void {
    this.#hint = hint;
    const best = hint.variations[0]?.moves[0];
    this.point(best ? textOf(best) : null);
    if (this.pointed && best && this.state)
      announceSoon(describeMove(this.state.game, best, t('play.hint'), this.names));
  }

  // Show this move of the hint on the board.
  point(move: string | null): void {
    this.#pointed = move;
  }

  closeHint(): void {
    this.#hint = null;
  }

  async #play(move: string): Promise<void> {
    this.previews.stop();
    const reply = await this.connection.send('play', { move });
    if (reply.ok) {
      if (this.playback.current) this.pendingMove.drop();
      return;
    }
    this.pendingMove.drop();
    this.#showError(reply.error);
    this.#applyStaleReply(reply);
  }

  // A stale reply has a state but no events: show it at once.
  #applyStaleReply(reply: Reply): void {
    if (reply.ok || reply.error?.kind !== 'stale' || !this.connection.state) return;
    if (this.playback.newest?.state.plies !== this.connection.state.plies)
      this.playback.jump(this.#scene(this.connection.state));
  }

  #scene(state: State): Scene {
    const newest = this.connection.history.findLast(({ actor }) => actor >= 0);
    const last = newest ? { seat: newest.actor, move: newest.move } : null;
    return { state, last, moved: false, effects: [], mine: false, frames: [] };
  }

  #handleEvents(events: TableEvent[], before: State | null, fresh: boolean): void {
    const state = this.connection.state!;
    const played = events.filter((event) => event.type === 'played');
    const moved = before?.step !== state.step || before?.plies !== state.plies;
    const isOneMove = played.length === 1 && !events.some((event) => event.type === 'taken-back');
    if (fresh || !before || !this.playback.shown) this.playback.jump(this.#scene(state));
    else if (moved && isOneMove) this.#pushMove(state, before, played[0]!);
    else if (moved || played.length) this.playback.jump(this.#scene(state));
    else this.playback.renew(state);
    if (before?.status === 'playing' && state.status === 'over' && !played.length) sound('end');
    this.previews.begin(state.step);
    this.pendingMove.check((state.moves ?? []).map(textOf));
    if (!fresh)
      announceEvents(
        events.filter((event) => event.type !== 'sat' || !this.takingSeat),
        state,
        this.names,
      );
    if (!fresh) notifyTurn(state, before, this.names);
  }

  #pushMove(state: State, before: State, { seat, plies }: Played): void {
    const mine = playedSeats(state).includes(seat);
    const effects = plies.flatMap((ply) => ply.effects);
    const isWatched = pace() && !document.hidden && before.position && state.position;
    const frames = isWatched ? playOf(state.game).frames(before.position!, effects, state.position!) : [];
    this.playback.push({ ...this.#scene(state), moved: true, effects, mine, frames });
  }

  #onShown(scene: Scene, frame: Frame | null): void {
    this.pendingMove.seen(scene.state.plies);
    if (frame) {
      if (frame.points) sound('score');
      if (frame.text) announceSoon(frame.text);
    } else if (scene.moved) sound('tile');
    if (!frame && scene.state.status === 'over' && scene.moved) sound('end');
  }

  // Who has won, in words.
  readonly resultText = $derived.by(() => {
    const winners = this.state?.result?.winners ?? [];
    const who = joinNames(
      winners.map((seat) => this.names[seat] ?? ''),
      language(),
    );
    if (winners.length !== 1) return winners.length ? t('play.shared', { who }) : t('play.no-winner');
    const mine = this.mine.length === 1 && this.mine[0] === winners[0];
    return mine ? t('play.you-win') : t('play.wins', { who });
  });
}
