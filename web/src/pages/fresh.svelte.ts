// Whether the server has a newer page than this one, and whether there is a server to be reached at all.
import * as api from '../lib/api';
import { differs } from './version';

export const fresh = $state({ newer: false, offline: !navigator.onLine, version: '' });

const EVERY = 4 * 60_000;
const WHILE_OFFLINE = 8_000;
let timer: ReturnType<typeof setTimeout> | undefined;

async function ask(): Promise<void> {
  clearTimeout(timer);
  try {
    const house = await api.house();
    fresh.offline = false;
    fresh.version = house.version;
    fresh.newer = differs(__PAGE__, house.page);
  } catch (error) {
    fresh.offline = error instanceof api.Refused && error.error.code === 'offline';
  }
  timer = setTimeout(look, fresh.offline ? WHILE_OFFLINE : EVERY);
}

function look(): void {
  if (document.visibilityState === 'visible') void ask();
}

// Begin to look after it; what is given back ends that.
export function watchOver(): () => void {
  const gone = () => (fresh.offline = true);
  addEventListener('online', look);
  addEventListener('offline', gone);
  document.addEventListener('visibilitychange', look);
  void ask();
  return () => {
    clearTimeout(timer);
    removeEventListener('online', look);
    removeEventListener('offline', gone);
    document.removeEventListener('visibilitychange', look);
  };
}
