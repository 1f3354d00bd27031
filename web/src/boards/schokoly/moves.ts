// Moves of Schokoly, parsed from notation (docs/notation.md), and the choices that the legal moves offer.

export const KINDS = ['D', 'M', 'W'] as const;
export const KIND_MOVES: Record<string, string> = { D: 'dark', M: 'milk', W: 'white' };
export const CARDS = ['DDDM', 'DDDW', 'MMMD', 'MMMW', 'WWWD', 'WWWM', 'DDMM', 'DDWW', 'MMWW', 'DDMW', 'MMWD', 'WWDM'];

export interface Lay {
  what: 'lay';
  pieces: string; // clockwise from the top left, as it lies
  x: number;
  y: number;
  level: 1 | 2;
}

export type Move =
  | Lay
  | { what: 'kind'; kind: string }
  | { what: 'token'; x: number; y: number }
  | { what: 'offer'; card: string | null; number: number | null; seat: number }
  | { what: 'answer'; card: string | null; number: number | null }
  | { what: 'accept'; card: string | null }
  | { what: 'deal'; card: string | null }
  | { what: 'no-token' | 'pass' | 'decline' | 'other' };

// "DDMW" or "?", or "?2" where only the number is known.
function cardOrNumber(text: string): { card: string | null; number: number | null } {
  if (text[0] !== '?') return { card: text, number: null };
  return { card: null, number: text.length > 1 ? Number(text.slice(1)) : null };
}

export function parseMove(text: string): Move {
  const lay = /^([DMW]{4})@(-?\d+),(-?\d+)(\^?)$/.exec(text);
  if (lay) return { what: 'lay', pieces: lay[1]!, x: Number(lay[2]), y: Number(lay[3]), level: lay[4] ? 2 : 1 };
  const token = /^token@(-?\d+),(-?\d+)$/.exec(text);
  if (token) return { what: 'token', x: Number(token[1]), y: Number(token[2]) };
  const offer = /^offer:(.+)>(\d)$/.exec(text);
  if (offer) return { what: 'offer', ...cardOrNumber(offer[1]!), seat: Number(offer[2]) - 1 };
  if (text.startsWith('answer:')) return { what: 'answer', ...cardOrNumber(text.slice(7)) };
  if (text.startsWith('accept')) return { what: 'accept', card: text.slice(7) || null };
  if (text[0] === '+') return { what: 'deal', card: cardOrNumber(text.slice(1)).card };
  if (text === 'no-token' || text === 'pass' || text === 'decline') return { what: text };
  const kind = KINDS.find((letter) => KIND_MOVES[letter] === text);
  return kind ? { what: 'kind', kind } : { what: 'other' };
}

export function layText(pieces: string, x: number, y: number, level: 1 | 2): string {
  return `${pieces}@${x},${y}${level === 2 ? '^' : ''}`;
}

// Turned a quarter clockwise: the last piece moves to the top left.
export function rotatePieces(pieces: string, quarters = 1): string {
  const by = ((quarters % 4) + 4) % 4;
  return by ? pieces.slice(4 - by) + pieces.slice(0, 4 - by) : pieces;
}

// The card that these pieces show, and by how many quarters it is turned.
export function cardOf(pieces: string): { card: string; turn: number } {
  for (let turn = 0; turn < 4; turn += 1) {
    const card = rotatePieces(pieces, -turn);
    if (CARDS.includes(card)) return { card, turn };
  }
  return { card: pieces, turn: 0 };
}

export function countPieces(pieces: string, kind: string | null): number {
  return [...pieces].filter((piece) => piece === kind).length;
}

// A place where a card may be laid, with the move for each rotation, by quarters.
export interface Spot {
  key: string;
  x: number;
  y: number;
  level: 1 | 2;
  moves: (string | undefined)[];
}

export interface LegalChoices {
  kinds: string[]; // letters
  spots: Record<string, Spot[]>; // by card
  tokens: { key: string; x: number; y: number; move: string }[];
  offers: { card: string; seat: number; move: string }[];
  answers: { card: string; move: string }[];
  plain: string[]; // no-token, pass, accept, decline
}

export function choicesIn(moves: string[]): LegalChoices {
  const choices: LegalChoices = { kinds: [], spots: {}, tokens: [], offers: [], answers: [], plain: [] };
  const spots = new Map<string, Spot>();
  for (const text of moves) {
    const move = parseMove(text);
    if (move.what === 'lay') {
      const { card, turn } = cardOf(move.pieces);
      const key = `${move.x},${move.y}`;
      let spot = spots.get(card + key);
      if (!spot) {
        spot = { key, x: move.x, y: move.y, level: move.level, moves: [] };
        spots.set(card + key, spot);
        (choices.spots[card] ??= []).push(spot);
      }
      spot.moves[turn] = text;
    } else if (move.what === 'kind') choices.kinds.push(move.kind);
    else if (move.what === 'token')
      choices.tokens.push({ key: `${move.x},${move.y}`, x: move.x, y: move.y, move: text });
    else if (move.what === 'offer') choices.offers.push({ card: move.card ?? '', seat: move.seat, move: text });
    else if (move.what === 'answer') choices.answers.push({ card: move.card ?? '', move: text });
    else choices.plain.push(text);
  }
  return choices;
}
