// What this device remembers of its user's wishes.

export interface Settings {
  name: string;
  language: string; // '' is the browser's
  theme: 'auto' | 'light' | 'dark' | 'contrast';
  patterns: boolean;
  confirm: 'off' | 'on' | 'countdown';
  speed: 'slow' | 'normal' | 'fast' | 'off';
  sound: boolean;
  notify: boolean;
  chat: boolean;
  text: boolean; // the board in words
  counts: boolean; // tile counts of bag and lid
  overlay: boolean; // Schokoly: sizes of groups and contacts
}

const PLACE = 'tilery.settings';
const DEFAULTS: Settings = {
  name: '',
  language: '',
  theme: 'auto',
  patterns: true,
  confirm: 'on',
  speed: 'normal',
  sound: true,
  notify: false,
  chat: true,
  text: false,
  counts: true,
  overlay: false,
};

export function read<T>(place: string, fallback: T): T {
  try {
    const found = localStorage.getItem(place);
    return found ? (JSON.parse(found) as T) : fallback;
  } catch {
    return fallback;
  }
}

export function write(place: string, value: unknown): void {
  try {
    localStorage.setItem(place, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing: the page works all the same
  }
}

export const settings: Settings = $state({ ...DEFAULTS, ...read<Partial<Settings>>(PLACE, {}) });

export function keep(): void {
  write(PLACE, settings);
}

const still = typeof matchMedia === 'function' ? matchMedia('(prefers-reduced-motion: reduce)') : null;
const LENGTHS = { slow: 900, normal: 450, fast: 200, off: 0 };

// How long a tile travels, in milliseconds; 0 where nothing should move.
export function pace(): number {
  return still?.matches ? 0 : LENGTHS[settings.speed];
}
