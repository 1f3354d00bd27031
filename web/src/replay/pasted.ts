// What somebody pasted: a record, a position, or the address of a table or of a position.

export type Pasted =
  | { kind: 'record'; text: string }
  | { kind: 'position'; text: string }
  | { kind: 'table'; text: string; ply: number }
  | { kind: 'nothing' | 'unknown' };

export function positionIn(hash: string): string {
  const found = /(?:^#|&)position=([^&]*)/.exec(hash);
  return found ? decoded(found[1]!) : '';
}

export function plyIn(hash: string): number | null {
  const found = /(?:^#|&)ply=(\d{1,6})/.exec(hash);
  return found ? Number(found[1]) : null;
}

export function positionHash(position: string): string {
  return `#position=${encodeURIComponent(position)}`;
}

export function recognised(typed: string): Pasted {
  const text = typed.trim();
  if (!text) return { kind: 'nothing' };
  if (text.startsWith('[')) return { kind: 'record', text };
  if (/^(azul|chocolatier|schokoly):\S+ \S/.test(text)) return { kind: 'position', text: text.replace(/\s+/g, ' ') };
  const position = /#\S*position=/.test(text) ? positionIn(text.slice(text.indexOf('#'))) : '';
  if (position) return { kind: 'position', text: position };
  const table = /(?:^|\/t\/)([a-z0-9]{12})(?:[#?/]\S*)?$/.exec(text);
  if (table) return { kind: 'table', text: table[1]!, ply: plyIn(text.slice(text.indexOf('#'))) ?? 0 };
  return { kind: 'unknown' };
}

// Where the server says that a text is wrong, with the line itself and what stands before the place.
export interface Fault {
  line: number;
  column: number;
  before: string;
  behind: string;
  start: number; // of the place, in characters from the beginning of the text
}

export function faultOf(problem: string, text: string): Fault | null {
  const found = /line (\d+), column (\d+)/.exec(problem);
  if (!found) return null;
  const [line, column] = [Number(found[1]), Number(found[2])];
  const lines = text.split('\n');
  const wrong = lines[line - 1] ?? '';
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
  return { line, column, before: wrong.slice(0, column - 1), behind: wrong.slice(column - 1), start };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' ')).trim();
  } catch {
    return '';
  }
}
