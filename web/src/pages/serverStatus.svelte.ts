// Whether the server has a newer version of the web client, and whether it can be reached at all.
import * as api from '../lib/api';

export const serverStatus = $state({ newer: false, offline: !navigator.onLine, version: '' });

const EVERY = 4 * 60_000;
const WHILE_OFFLINE = 8_000;
let timer: ReturnType<typeof setTimeout> | undefined;

async function refresh(): Promise<void> {
  clearTimeout(timer);
  try {
    const server = await api.serverInfo();
    serverStatus.offline = false;
    serverStatus.version = server.version;
    serverStatus.newer = isOutdated(__PAGE__, server.web_client_hash);
  } catch (error) {
    serverStatus.offline = error instanceof api.ApiError && error.error.code === 'offline';
  }
  timer = setTimeout(refreshIfVisible, serverStatus.offline ? WHILE_OFFLINE : EVERY);
}

function refreshIfVisible(): void {
  if (document.visibilityState === 'visible') void refresh();
}

// Start checking; returns a function that stops it.
export function watchServer(): () => void {
  const gone = () => (serverStatus.offline = true);
  addEventListener('online', refreshIfVisible);
  addEventListener('offline', gone);
  document.addEventListener('visibilitychange', refreshIfVisible);
  void refresh();
  return () => {
    clearTimeout(timer);
    removeEventListener('online', refreshIfVisible);
    removeEventListener('offline', gone);
    document.removeEventListener('visibilitychange', refreshIfVisible);
  };
}

// A development build is never outdated, and a server without a bundle has nothing newer.
export function isOutdated(mine: string, servers: string): boolean {
  return mine !== 'dev' && servers !== '' && mine !== servers;
}

// Pass the files loaded before the service worker was active to it, so that they are available offline too.
export async function cacheLoadedFiles(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const { active } = await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType('resource').map((entry) => entry.name);
  active?.postMessage({ keep: loaded.filter((name) => name.startsWith(`${location.origin}/assets/`)) });
}
