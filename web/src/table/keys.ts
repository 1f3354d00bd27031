// Which key does what around the board. Boards have keys of their own, and come first.

export type Key = 'confirm' | 'undo' | 'type' | 'skip' | 'hint' | 'chat' | 'text' | 'help';

const KEYS: Record<string, Key> = {
  Enter: 'confirm',
  Escape: 'undo',
  m: 'type',
  s: 'skip',
  h: 'hint',
  c: 'chat',
  t: 'text',
  '?': 'help',
};
// Letters by their place, for keyboards with other letters on them.
const PLACES: Record<string, Key> = { KeyM: 'type', KeyS: 'skip', KeyH: 'hint', KeyC: 'chat', KeyT: 'text' };

interface Pressed {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  repeat: boolean;
  defaultPrevented: boolean;
  target: EventTarget | null;
}

function writes(target: Element | null): boolean {
  return !!target?.closest?.('input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]');
}

// Enter belongs to a button or link that has the focus.
function acts(target: Element | null): boolean {
  return !!target?.closest?.('button, a[href], summary, [role=button]');
}

export function keyOf(event: Pressed): Key | null {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return null;
  const target = event.target as Element | null;
  if (writes(target)) return null;
  const latin = /^[a-z?]$/i.test(event.key) || event.key.length > 1;
  const key = (latin ? KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key] : PLACES[event.code]) ?? null;
  return key === 'confirm' && acts(target) ? null : key;
}
