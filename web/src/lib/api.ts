// HTTP requests to the server (docs/wire.md).
import type { Effect, GameInfo, Hint, Lobby, Preview, Replay, State, Study, WireError } from './types';

export class ApiError extends Error {
  constructor(
    readonly error: WireError,
    readonly status: number,
  ) {
    super(error.text);
  }
}

async function request(path: string, options: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: 'same-origin', ...options });
  } catch {
    throw new ApiError({ code: 'offline', text: '' }, 0);
  }
  if (response.ok) return response;
  let error: WireError = { code: 'internal-error', text: response.statusText };
  try {
    const body = await response.json();
    if (body.error) error = body.error;
  } catch {
    // the response came from a proxy, not from the server: only its status is known
  }
  throw new ApiError(error, response.status);
}

async function json<T>(path: string, options?: RequestInit): Promise<T> {
  return (await (await request(path, options)).json()) as T;
}

function body(value: unknown): RequestInit {
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) };
}

export interface SeatRequest {
  kind: 'me' | 'open' | 'bot';
  name?: string;
  bot?: string;
}

export interface TableRequest {
  game: string;
  variant?: string;
  seats: SeatRequest[];
  clock?: { base: number; increment: number } | { days: number } | null;
  public?: boolean;
}

export interface SeatGrant {
  table: string;
  token: string;
  invite: string;
  seat_link: string;
  commitment: string;
  seats: number[];
}

export function randomHex(digits: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(digits / 2));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export const games = async () => (await json<{ games: GameInfo[] }>('/api/games')).games;
export const lobby = () => json<Lobby>('/api/lobby');
export const serverInfo = () => json<{ version: string; web_client_hash: string; public_url: string }>('/api/server');
export const createTable = (table: TableRequest) => json<SeatGrant>('/api/tables', body(table));
export const table = (name: string) => json<State>(`/api/tables/${name}`);
export const sit = (name: string, seat: { name: string; entropy: string; id: string; token?: string }) =>
  json<SeatGrant>(`/api/tables/${name}/seat`, body(seat));
export const claim = (name: string, token: string) => request(`/api/tables/${name}/claim`, body({ token }));
export const follow = (name: string) => json<{ table: string }>(`/api/tables/${name}/follow`, body({}));
export const command = (name: string, fields: Record<string, unknown>) =>
  json<{ ok: boolean }>(`/api/tables/${name}/commands`, body(fields));
export const hint = (name: string) => json<Hint>(`/api/tables/${name}/hint`, body({}));
export const replay = (name: string) => json<Replay>(`/api/tables/${name}/replay`);
export const effects = (name: string, ply: number) =>
  json<{ ply: number; actor: number; move: string; effects: Effect[] }>(`/api/tables/${name}/effects/${ply}`);
export const preview = (name: string, moves: string[], signal?: AbortSignal) =>
  json<{ step: number; previews: Preview[] }>(
    `/api/tables/${name}/preview?${moves.map((move) => `move=${encodeURIComponent(move)}`).join('&')}`,
    { signal },
  );
export const study = (position: string, moves: string[] = [], preview: string[] = []) =>
  json<Study>('/api/study', body({ position, moves, preview }));
// Let chance act until it is somebody's turn.
export const studyDeals = (position: string) => json<Study>('/api/study', body({ position, deal: true }));
export const readRecord = (text: string) =>
  json<Replay>('/api/records?all=true', { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: text });
export const recordText = async (name: string) => (await request(`/api/tables/${name}/record`)).text();
export const positionAs = async (name: string, ply: number, as: 'text' | 'svg') =>
  (await request(`/api/tables/${name}/positions/${ply}?as=${as}`)).text();
export const recordPositionAs = async (record: string, ply: number, as: 'text' | 'svg') =>
  (
    await request(`/api/records?ply=${ply}&as=${as}`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain' },
      body: record,
    })
  ).text();
