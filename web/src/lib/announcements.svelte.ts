// Announcements for screen readers, and short notices that everybody sees for a while.

export const liveRegions = $state({ polite: '', urgent: '' });

let flip = false;

// Announce a text. An inaudible blank is added every other time, because screen readers ignore a text that repeats.
export function announce(text: string, urgent = false): void {
  flip = !flip;
  liveRegions[urgent ? 'urgent' : 'polite'] = text + (flip ? '\u00a0' : '');
}

export interface Notice {
  id: number;
  text: string;
  tone: 'plain' | 'good' | 'bad';
}

export const notices = $state<Notice[]>([]);
let count = 0;

export function showNotice(text: string, tone: Notice['tone'] = 'plain', seconds = 6): void {
  const id = (count += 1);
  notices.push({ id, text, tone });
  announce(text, tone === 'bad');
  setTimeout(() => dismissNotice(id), seconds * 1000);
}

export function dismissNotice(id: number): void {
  const at = notices.findIndex((one) => one.id === id);
  if (at >= 0) notices.splice(at, 1);
}

// Announce a text together with others that follow within a moment; otherwise each would replace the one before it.

const JOIN_WINDOW = 150; // milliseconds
let texts: string[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

export function announceSoon(text: string): void {
  texts.push(text);
  timer ??= setTimeout(() => {
    announce(texts.join(' '));
    texts = [];
    timer = undefined;
  }, JOIN_WINDOW);
}
