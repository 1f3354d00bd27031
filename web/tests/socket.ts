// A socket that is driven by a test, in place of a WebSocket.
import { vi } from 'vitest';

export class Socket {
  static OPEN = 1;
  static all: Socket[] = [];
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onopen = () => {};
  onmessage: (message: { data: string }) => void = () => {};
  onclose: (event: { code: number; reason: string }) => void = () => {};
  constructor(readonly url: string) {
    Socket.all.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
  opens() {
    this.readyState = 1;
    this.onopen();
  }
  receives(message: unknown) {
    this.onmessage({ data: JSON.stringify(message) });
  }
  closes(code = 1006, reason = '') {
    this.readyState = 3;
    this.onclose({ code, reason });
  }
}

export const lastSocket = (): Socket => Socket.all.at(-1)!;

// What a connection needs of a browser, with this socket.
export function stubBrowser(): void {
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('location', { protocol: 'http:', host: 'here' });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  const document = { addEventListener() {}, removeEventListener() {}, visibilityState: 'visible', hidden: false };
  vi.stubGlobal('document', { ...document, documentElement: {} });
  Socket.all = [];
}
