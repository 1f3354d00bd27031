// The user's settings, stored on this device.
import { loadStored, saveStored } from './storage';

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
  text: boolean; // show the text board
  counts: boolean; // tile counts of bag and lid
  overlay: boolean; // sizes of groups and contacts
}

export type Switch = { [name in keyof Settings]: Settings[name] extends boolean ? name : never }[keyof Settings];

const STORAGE_KEY = 'tilery.settings';
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

export const settings: Settings = $state({ ...DEFAULTS, ...loadStored<Partial<Settings>>(STORAGE_KEY, {}) });

export function saveSettings(): void {
  saveStored(STORAGE_KEY, settings);
}

const still = typeof matchMedia === 'function' ? matchMedia('(prefers-reduced-motion: reduce)') : null;
const LENGTHS = { slow: 900, normal: 450, fast: 200, off: 0 };

// How long a tile travels, in milliseconds; 0 if animations are off.
export function pace(): number {
  return still?.matches ? 0 : LENGTHS[settings.speed];
}
