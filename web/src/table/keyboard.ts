// Keyboard shortcuts of the table. Boards have their own keys, which take precedence.

export type Shortcut = 'confirm' | 'undo' | 'type' | 'skip' | 'hint' | 'chat' | 'text' | 'help';

const KEYS: Record<string, Shortcut> = {
  Enter: 'confirm',
  Escape: 'undo',
  m: 'type',
  s: 'skip',
  h: 'hint',
  c: 'chat',
  t: 'text',
  '?': 'help',
};
// Letters by their physical key, for keyboards with other alphabets.
const PHYSICAL_KEYS: Record<string, Shortcut> = {
  KeyM: 'type',
  KeyS: 'skip',
  KeyH: 'hint',
  KeyC: 'chat',
  KeyT: 'text',
};

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

function isTextField(target: Element | null): boolean {
  return !!target?.closest?.('input:not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]');
}

// Whether Enter presses the focused element.
function isPressable(target: Element | null): boolean {
  return !!target?.closest?.('button, a[href], summary, [role=button]');
}

export function shortcutOf(event: Pressed): Shortcut | null {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return null;
  const target = event.target as Element | null;
  if (isTextField(target)) return null;
  const latin = /^[a-z?]$/i.test(event.key) || event.key.length > 1;
  const key =
    (latin ? KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key] : PHYSICAL_KEYS[event.code]) ?? null;
  return key === 'confirm' && isPressable(target) ? null : key;
}
