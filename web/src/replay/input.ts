// What was typed or pasted into the study page: a record, a position, or a link to a table or a position.
import { gameOf } from '../boards/registry';
import { plyIn, positionIn } from '../lib/links';
import type { ErrorInfo, GameName } from '../lib/types';

export type StudyInput =
  | { kind: 'record'; text: string }
  | { kind: 'position'; text: string }
  | { kind: 'table'; text: string; ply: number }
  | { kind: 'nothing' | 'unknown' };

export function classifyInput(typed: string): StudyInput {
  const text = typed.trim();
  if (!text) return { kind: 'nothing' };
  if (text.startsWith('[')) return { kind: 'record', text };
  const game = /^(\w+):\S+ \S/.exec(text)?.[1];
  if (game && gameOf(game)) return { kind: 'position', text: text.replace(/\s+/g, ' ') };
  const position = /#\S*position=/.test(text) ? positionIn(text.slice(text.indexOf('#'))) : '';
  if (position) return { kind: 'position', text: position };
  const table = /(?:^|\/t\/)([a-z0-9]{12})(?:[#?/]\S*)?$/.exec(text);
  if (table) return { kind: 'table', text: table[1]!, ply: plyIn(text.slice(text.indexOf('#'))) ?? 0 };
  return { kind: 'unknown' };
}

// The game that a record or a position names, '' if it names none.
export function gameIn(text: string): GameName {
  const name = (/^\s*(\w+):/.exec(text) ?? /^\[Game "(\w+)"\]/m.exec(text))?.[1] ?? '';
  return gameOf(name)?.name ?? '';
}

// Where the server found an error in a text: the line, split at that place.
export interface TextError {
  before: string;
  behind: string;
  start: number; // of the error, in characters from the beginning of the text
}

export function locateTextError({ line, column }: Pick<ErrorInfo, 'line' | 'column'>, text: string): TextError | null {
  if (!line || !column) return null;
  const lines = text.split('\n');
  const wrong = lines[line - 1] ?? '';
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
  return { before: wrong.slice(0, column - 1), behind: wrong.slice(column - 1), start };
}
