// Links to tables, seats, plies and positions: writing them, and finding them in pasted text.

export function inviteLink(base: string, table: string): string {
  return `${base.replace(/\/+$/, '')}/t/${table}`;
}

// The name of a table in pasted text: a link, a path, or just the name. '' if there is none.
export function tableIn(text: string): string {
  const plain = text.trim().toLowerCase();
  if (/^[a-z0-9]{12}$/.test(plain)) return plain;
  return /(?:^|\/)t\/([a-z0-9]{12})(?![a-z0-9])/.exec(plain)?.[1] ?? '';
}

// The token of a seat in a pasted private link; '' if there is none.
export function seatIn(text: string): string {
  return /#seat=([0-9a-f]{32})$/.exec(text.trim().toLowerCase())?.[1] ?? '';
}

export function positionIn(hash: string): string {
  const match = /(?:^#|&)position=([^&]*)/.exec(hash);
  return match ? decoded(match[1]!) : '';
}

export function plyIn(hash: string): number | null {
  const match = /(?:^#|&)ply=(\d{1,6})/.exec(hash);
  return match ? Number(match[1]) : null;
}

export function positionHash(position: string): string {
  return `#position=${encodeURIComponent(position)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' ')).trim();
  } catch {
    return '';
  }
}
