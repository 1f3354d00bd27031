// HTTP requests to the server (docs/wire.md).
import { loadRefusals } from './i18n.svelte';
import type {
  ErrorInfo,
  ErrorResponse,
  Games,
  Hint,
  Lobby,
  Preview,
  Previews,
  RematchTable,
  Replay,
  Reply,
  Seated,
  SeatRequest,
  ServerInfo,
  State,
  Study,
  StudyRequest,
  TableRequest,
} from './types';

export class ApiError extends Error {
  constructor(
    readonly error: ErrorInfo,
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
    throw new ApiError({ kind: 'offline', code: 'offline', text: '' }, 0);
  }
  if (response.ok) return response;
  let error: ErrorInfo = { kind: 'internal-error', code: 'internal-error', text: response.statusText };
  try {
    error = ((await response.json()) as ErrorResponse).error ?? error;
  } catch {
    // the response came from a proxy, not from the server: only its status is known
  }
  await loadRefusals();
  throw new ApiError(error, response.status);
}

async function json<T>(path: string, options?: RequestInit): Promise<T> {
  return (await (await request(path, options)).json()) as T;
}

async function withPreviews<T extends { previews?: Preview[] }>(path: string, options: RequestInit): Promise<T> {
  const answer = await json<T>(path, options);
  if (answer.previews?.some(({ error }) => error)) await loadRefusals();
  return answer;
}

function body(value: unknown): RequestInit {
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) };
}

export function randomHex(digits: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(digits / 2));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export const games = async () => (await json<Games>('/api/games')).games;
export const lobby = () => json<Lobby>('/api/lobby');
export const serverInfo = () => json<ServerInfo>('/api/server');
export const createTable = (table: TableRequest) => json<Seated>('/api/tables', body(table));
export const table = (name: string) => json<State>(`/api/tables/${name}`);
export const sit = (name: string, seat: SeatRequest) => json<Seated>(`/api/tables/${name}/seat`, body(seat));
export const claim = (name: string, token: string) => request(`/api/tables/${name}/claim`, body({ token }));
export const follow = (name: string) => json<RematchTable>(`/api/tables/${name}/follow`, body({}));
export const command = (name: string, fields: Record<string, unknown>) =>
  json<Reply>(`/api/tables/${name}/commands`, body(fields));
export const hint = (name: string) => json<Hint>(`/api/tables/${name}/hint`, body({}));
export const replay = (name: string) => json<Replay>(`/api/tables/${name}/replay`);
// What moves would do, or why they are not legal. A move may be written as people type it.
export const preview = (name: string, moves: string[], signal?: AbortSignal) =>
  withPreviews<Previews>(
    `/api/tables/${name}/preview?${moves.map((move) => `move=${encodeURIComponent(move)}`).join('&')}`,
    signal ? { signal } : {},
  );
export const study = (wanted: StudyRequest) => withPreviews<Study>('/api/study', body(wanted));
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
