// What a screen reader is told, and short notices that everybody sees for a while.

export const spoken = $state({ polite: '', urgent: '' });

let flip = false;

// The same words twice in a row are told twice: a blank that nobody hears makes them new.
export function announce(text: string, urgent = false): void {
  flip = !flip;
  spoken[urgent ? 'urgent' : 'polite'] = text + (flip ? '\u00a0' : '');
}

export interface Notice {
  id: number;
  text: string;
  tone: 'plain' | 'good' | 'bad';
}

export const notices = $state<Notice[]>([]);
let count = 0;

export function notice(text: string, tone: Notice['tone'] = 'plain', seconds = 6): void {
  const id = (count += 1);
  notices.push({ id, text, tone });
  announce(text, tone === 'bad');
  setTimeout(() => dismiss(id), seconds * 1000);
}

export function dismiss(id: number): void {
  const at = notices.findIndex((one) => one.id === id);
  if (at >= 0) notices.splice(at, 1);
}
