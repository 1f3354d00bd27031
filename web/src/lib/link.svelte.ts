// The line to a table: a socket that comes back by itself, and commands that are never lost on the way.
import { random } from './api';
import type { Ply, State, TableEvent, WireError } from './types';

export interface Answer {
  id: string | null;
  ok: boolean;
  seq?: number;
  error?: WireError;
}

interface Waiting {
  words: Record<string, unknown>;
  done: (answer: Answer) => void;
  tries: number;
}

export type Line = 'connecting' | 'open' | 'lost' | 'closing' | 'none' | 'old';

const GIVE_UP = 8_000; // milliseconds without an answer to a ping
const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 15_000;

// A history, kept up to date by events.
export function told(history: Ply[], events: TableEvent[]): Ply[] {
  let plies = history;
  for (const event of events) {
    if (event.type === 'started') plies = (event.deals ?? []).map((deal): Ply => [-1, deal]);
    else if (event.type === 'played')
      plies = [...plies, [event.seat ?? -1, event.move ?? ''], ...(event.deals ?? []).map((deal): Ply => [-1, deal])];
    else if (event.type === 'taken-back') plies = plies.slice(0, event.plies);
  }
  return plies;
}

export class Link {
  line = $state<Line>('connecting');
  state = $state.raw<State | null>(null);
  since = $state(0); // when the state came, by performance.now()
  history = $state.raw<Ply[]>([]);
  chatter = $state.raw<{ seat: number; text: string }[]>([]);
  here = $state.raw<number[]>([]);
  watching = $state(0);
  backIn = $state(0);

  #socket: WebSocket | null = null;
  #waiting = new Map<string, Waiting>();
  #pause = FIRST_PAUSE;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #beat: ReturnType<typeof setInterval> | undefined;
  #heard = 0;
  #asked = 0; // when the ping was sent that nothing has answered yet
  #heartbeat = 25_000;
  #ended = false;
  #known = 0; // the last seq, 0 before the first welcome

  constructor(
    readonly table: string,
    readonly onevents: (events: TableEvent[], before: State | null, fresh: boolean) => void = () => {},
  ) {
    addEventListener('online', this.#wake);
    document.addEventListener('visibilitychange', this.#wake);
    this.#open();
  }

  end(): void {
    this.#ended = true;
    removeEventListener('online', this.#wake);
    document.removeEventListener('visibilitychange', this.#wake);
    clearTimeout(this.#timer);
    clearInterval(this.#beat);
    this.#socket?.close();
  }

  // Open a new socket, as somebody else: after a seat was taken.
  anew(): void {
    this.#known = 0;
    this.#drop();
    this.#open();
  }

  // Send a command. It is sent again with the same id until there is an answer, whatever happens to the line.
  send(type: string, fields: Record<string, unknown> = {}): Promise<Answer> {
    const id = random(16);
    const words = { type, id, step: this.state?.step ?? 0, ...fields };
    return new Promise((done) => {
      this.#waiting.set(id, { words, done, tries: 0 });
      this.#say(words);
    });
  }

  #say(words: unknown): void {
    if (this.line === 'open' && this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(words));
  }

  #open(): void {
    clearTimeout(this.#timer);
    if (this.#ended) return;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.table}/socket`);
    this.#socket = socket;
    this.#heard = performance.now();
    this.#asked = performance.now(); // a socket that does not even open is given up like a silent one
    socket.onopen = () =>
      socket.send(JSON.stringify({ type: 'hello', ...(this.#known ? { after: this.#known } : {}) }));
    socket.onmessage = (message) => {
      if (socket === this.#socket) this.#hear(JSON.parse(message.data as string));
    };
    socket.onclose = (event) => {
      if (socket === this.#socket) this.#lost(event.code);
    };
    clearInterval(this.#beat);
    this.#beat = setInterval(this.#pulse, 1_000);
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #lost(code: number): void {
    clearInterval(this.#beat);
    this.#socket = null;
    if (this.#ended) return;
    if (code === 4404) {
      this.line = 'none';
      return;
    }
    if (code === 4426) {
      this.line = 'old';
      return;
    }
    const pause = this.line === 'closing' ? Math.max(this.backIn * 1000, FIRST_PAUSE) : this.#pause;
    if (this.line !== 'closing') this.line = 'lost';
    this.#pause = Math.min(this.#pause * 1.7, LONGEST_PAUSE);
    this.#timer = setTimeout(() => this.#open(), pause * (0.75 + Math.random() / 2));
  }

  #wake = (): void => {
    if (document.visibilityState === 'hidden' || this.#ended) return;
    if (!this.#socket) {
      this.#pause = FIRST_PAUSE;
      this.#open();
    } else if (this.line === 'open' && !this.#asked) this.#ping();
  };

  #ping(): void {
    this.#asked = performance.now();
    this.#say({ type: 'ping' });
  }

  #pulse = (): void => {
    const now = performance.now();
    if (this.#asked && now - this.#asked > GIVE_UP) {
      this.#drop();
      this.#lost(0);
    } else if (!this.#asked && this.line === 'open' && (now - this.#heard > this.#heartbeat || this.#waiting.size))
      this.#ping();
  };

  #hear(message: Record<string, any>): void {
    this.#heard = performance.now();
    this.#asked = 0;
    if (message.type === 'welcome') this.#welcome(message);
    else if (message.type === 'update') this.#take(message.state, message.events, false);
    else if (message.type === 'answer') this.#answer(message as Answer & { state?: State });
    else if (message.type === 'presence') {
      this.here = message.here;
      this.watching = message.watching;
    } else if (message.type === 'closing') {
      this.backIn = message.back_in;
      this.line = 'closing';
    }
  }

  #welcome(message: Record<string, any>): void {
    this.line = 'open';
    this.#pause = FIRST_PAUSE;
    this.#heartbeat = message.heartbeat * 1000;
    if (message.fresh) {
      this.history = message.history;
      this.chatter = message.chatter;
      this.#take(message.state, [], true);
    } else this.#take(message.state, message.events, false);
    for (const one of this.#waiting.values()) this.#say(one.words);
  }

  #take(state: State, events: TableEvent[], fresh: boolean): void {
    const before = this.state;
    const fresher = events.filter((event) => event.seq > this.#known);
    this.#known = state.seq;
    this.history = told(this.history, fresher);
    const said = fresher.filter((event) => event.type === 'said');
    if (said.length)
      this.chatter = [...this.chatter, ...said.map(({ seat, text }) => ({ seat: seat ?? 0, text: text ?? '' }))];
    this.since = performance.now();
    this.state = state;
    this.onevents(fresher, before, fresh);
  }

  #answer(answer: Answer & { state?: State }): void {
    const waiting = answer.id ? this.#waiting.get(answer.id) : undefined;
    if (!answer.id || !waiting) return;
    const code = answer.error?.code;
    if ((code === 'overloaded' || code === 'unavailable' || code === 'fault') && waiting.tries < 8) {
      waiting.tries += 1;
      setTimeout(() => this.#say(waiting.words), (answer.error?.retry_in ?? 1) * 1000);
      return;
    }
    this.#waiting.delete(answer.id);
    if (answer.state && answer.state.seq >= (this.state?.seq ?? 0)) {
      this.since = performance.now();
      this.state = answer.state;
    }
    waiting.done(answer);
  }
}
