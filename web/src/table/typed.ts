// A move as somebody types it: blanks and small letters do not matter, and 0 may stand for the centre.

const bare = (text: string) => text.replace(/\s+/g, '').toLowerCase();

export function typed(text: string, moves: readonly string[]): string | null {
  const wanted = bare(text);
  if (!wanted) return null;
  const found = (want: string) => moves.find((move) => bare(move) === want);
  return found(wanted) ?? (wanted.startsWith('0') ? found(`c${wanted.slice(1)}`) : undefined) ?? null;
}
