// The connection to a table: a WebSocket that reconnects by itself, and commands that survive a lost connection.
import { randomHex } from './api';
import { applyChanges } from './changes';
import { loadRefusals } from './i18n.svelte';
import {
  PROTOCOL_VERSION,
  type ChatMessage,
  type Ply,
  type Reply,
  type ServerMessage,
  type State,
  type StateChanges,
  type TableEvent,
  type Update,
  type Welcome,
} from './types';

interface PendingCommand {
  message: Record<string, unknown>;
  done: (reply: Reply) => void;
  tries: number;
}

export type ConnectionStatus = 'connecting' | 'open' | 'lost' | 'closing' | 'none' | 'damaged' | 'old';

// Close codes after which trying again does not help.
const FINAL_STATUS: Record<number, ConnectionStatus> = { 4404: 'none', 4426: 'old', 4500: 'damaged' };
const OWNED_ELSEWHERE = 4307; // the close code whose reason names the process to connect to
const GIVE_UP = 8_000; // milliseconds without an answer to a ping
const FIRST_RETRY_DELAY = 400;
const MAX_RETRY_DELAY = 15_000;

// Bring a history up to date with new events.
export function applyEvents(history: Ply[], events: TableEvent[]): Ply[] {
  let plies = history;
  for (const event of events) {
    if (event.type === 'started') plies = event.plies;
    else if (event.type === 'played') plies = [...plies, ...event.plies];
    else if (event.type === 'taken-back') plies = plies.slice(0, event.plies);
  }
  return plies;
}

export function applyStateChanges(state: State, { position_changes: moved, ...changes }: StateChanges): State {
  const position = moved && state.position ? applyChanges(state.position, moved) : state.position;
  return { ...state, position, ...changes };
}

export class TableConnection {
  status = $state<ConnectionStatus>('connecting');
  state = $state.raw<State | null>(null);
  receivedAt = $state(0); // when the state arrived, by performance.now()
  history = $state.raw<Ply[]>([]);
  chatMessages = $state.raw<ChatMessage[]>([]);
  present = $state.raw<number[]>([]);
  watchers = $state(0);
  backIn = $state(0);

  #socket: WebSocket | null = null;
  #pending = new Map<string, PendingCommand>();
  #retryDelay = FIRST_RETRY_DELAY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #beat: ReturnType<typeof setInterval> | undefined;
  #lastMessageAt = 0; // when anything arrived
  #pingSentAt = 0; // 0 unless a ping is unanswered
  #heartbeat = 25_000;
  #closed = false;
  #process = ''; // the process that the server has sent this connection to
  #lastSeq = 0; // 0 before the first welcome

  constructor(
    readonly table: string,
    readonly onevents: (events: TableEvent[], before: State | null, fresh: boolean) => void = () => {},
  ) {
    addEventListener('online', this.#wake);
    document.addEventListener('visibilitychange', this.#wake);
    this.#open();
  }

  close(): void {
    this.#closed = true;
    removeEventListener('online', this.#wake);
    document.removeEventListener('visibilitychange', this.#wake);
    clearTimeout(this.#timer);
    clearInterval(this.#beat);
    this.#socket?.close();
  }

  // Connect again after taking a seat, because the server now shows the table from another perspective.
  reconnect(): void {
    this.#lastSeq = 0;
    this.#drop();
    this.#open();
  }

  // Send a command. It is sent again with the same id after every reconnect until the server replies.
  send(type: string, fields: Record<string, unknown> = {}): Promise<Reply> {
    const id = randomHex(16);
    const message = { type, id, step: this.state?.step ?? 0, ...fields };
    return new Promise((done) => {
      this.#pending.set(id, { message, done, tries: 0 });
      this.#transmit(message);
    });
  }

  #transmit(message: unknown): void {
    if (this.status === 'open' && this.#socket?.readyState === WebSocket.OPEN)
      this.#socket.send(JSON.stringify(message));
  }

  #open(): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const query = this.#process && `?process=${encodeURIComponent(this.#process)}`;
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.table}/socket${query}`);
    this.#socket = socket;
    this.#lastMessageAt = performance.now();
    this.#pingSentAt = performance.now(); // a socket that never opens times out like one that falls silent
    socket.onopen = () =>
      socket.send(
        JSON.stringify({
          type: 'hello',
          version: PROTOCOL_VERSION,
          ...(this.#lastSeq ? { after: this.#lastSeq } : {}),
        }),
      );
    socket.onmessage = (message) => {
      if (socket === this.#socket) this.#receive(JSON.parse(message.data as string));
    };
    socket.onclose = (event) => {
      if (socket === this.#socket) this.#handleClose(event.code, event.reason);
    };
    clearInterval(this.#beat);
    this.#beat = setInterval(this.#checkHeartbeat, 1_000);
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #handleClose(code: number, reason = ''): void {
    clearInterval(this.#beat);
    this.#socket = null;
    if (this.#closed) return;
    // Only once in a row: the process may be gone by now, and then the proxy has to find another one.
    const isSentElsewhere = code === OWNED_ELSEWHERE && !this.#process;
    this.#process = isSentElsewhere ? reason : '';
    if (isSentElsewhere) {
      this.#open();
      return;
    }
    const final = FINAL_STATUS[code];
    if (final) {
      this.status = final;
      return;
    }
    const pause = this.status === 'closing' ? Math.max(this.backIn * 1000, FIRST_RETRY_DELAY) : this.#retryDelay;
    if (this.status !== 'closing') this.status = 'lost';
    this.#retryDelay = Math.min(this.#retryDelay * 1.7, MAX_RETRY_DELAY);
    this.#timer = setTimeout(() => this.#open(), pause * (0.75 + Math.random() / 2));
  }

  #wake = (): void => {
    if (document.visibilityState === 'hidden' || this.#closed) return;
    if (!this.#socket) {
      this.#retryDelay = FIRST_RETRY_DELAY;
      this.#open();
    } else if (this.status === 'open' && !this.#pingSentAt) this.#ping();
  };

  #ping(): void {
    this.#pingSentAt = performance.now();
    this.#transmit({ type: 'ping' });
  }

  #checkHeartbeat = (): void => {
    const now = performance.now();
    if (this.#pingSentAt && now - this.#pingSentAt > GIVE_UP) {
      this.#drop();
      this.#handleClose(0);
    } else if (
      !this.#pingSentAt &&
      this.status === 'open' &&
      (now - this.#lastMessageAt > this.#heartbeat || this.#pending.size)
    )
      this.#ping();
  };

  #receive(message: ServerMessage): void {
    this.#lastMessageAt = performance.now();
    this.#pingSentAt = 0;
    if (message.type === 'welcome') this.#welcome(message);
    else if (message.type === 'update') this.#update(message);
    else if (message.type === 'reply') this.#handleReply(message);
    else if (message.type === 'presence') {
      this.present = message.here;
      this.watchers = message.watching;
    } else if (message.type === 'closing') {
      this.backIn = message.reconnect_delay;
      this.status = 'closing';
    }
  }

  #welcome(message: Welcome): void {
    this.status = 'open';
    this.#retryDelay = FIRST_RETRY_DELAY;
    this.#heartbeat = message.heartbeat * 1000;
    if (message.fresh) {
      this.history = message.history ?? [];
      this.chatMessages = message.chat_history ?? [];
    }
    this.#applyState(message.state, message.events, message.fresh);
    for (const one of this.#pending.values()) this.#transmit(one.message);
  }

  // Changes are those of the state that is known; if it is another one, ask for the whole state.
  #update({ after, events, state, changes }: Update): void {
    const known = this.state;
    if (!known || after > this.#lastSeq) this.reconnect();
    else if (state) this.#applyState(state, events);
    else if (!changes) return;
    else if (changes.seq > known.seq && after !== known.seq) this.reconnect();
    else {
      // The state of a stale reply is newer than the events that are known.
      const isNew = changes.seq > known.seq;
      this.#applyState(isNew ? applyStateChanges(known, changes) : known, events, false, changes.seq);
    }
  }

  #applyState(state: State, events: TableEvent[], fresh = false, seq = state.seq): void {
    const before = this.state;
    const newEvents = events.filter((event) => event.seq > this.#lastSeq);
    this.#lastSeq = seq;
    this.history = applyEvents(this.history, newEvents);
    const said = newEvents.filter((event) => event.type === 'said');
    if (said.length) this.chatMessages = [...this.chatMessages, ...said.map(({ seat, text }) => ({ seat, text }))];
    if (state.clock !== before?.clock) this.receivedAt = performance.now();
    this.state = state;
    this.onevents(newEvents, before, fresh);
  }

  #handleReply(reply: Reply): void {
    const waiting = reply.id ? this.#pending.get(reply.id) : undefined;
    if (!reply.id || !waiting) return;
    const kind = reply.error?.kind;
    if ((kind === 'busy' || kind === 'unavailable' || kind === 'internal-error') && waiting.tries < 8) {
      waiting.tries += 1;
      setTimeout(() => this.#transmit(waiting.message), (reply.error?.retry_delay ?? 1) * 1000);
      return;
    }
    this.#pending.delete(reply.id);
    if (reply.state && reply.state.seq >= (this.state?.seq ?? 0)) {
      this.receivedAt = performance.now();
      this.state = reply.state;
    }
    if (reply.error) void loadRefusals().then(() => waiting.done(reply));
    else waiting.done(reply);
  }
}
