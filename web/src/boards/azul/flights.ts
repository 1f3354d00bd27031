// Which tiles travel from where to where when one view follows another. Places have names: "4:B" (blue on factory 4),
// "C:B", "C:m", "line:0:2:1" (seat, line, space), "wall:0:2:3", "floor:0:4", "saucer:0", "bag", "lid".
import type { AzulView } from '../../lib/types';
import { made, rest, taken } from './made';
import { count, takeIn, tilesAt } from './moves';

export interface Flight {
  thing: string; // a letter, or "m"
  from: string;
  index: number; // which one of several that lie there
  to: string;
}

type Last = { seat: number; move: string } | null;

export function flights(before: AzulView, after: AzulView, last: Last): Flight[] {
  if (before.boards.length !== after.boards.length) return [];
  if (last && isMade(before, after, last)) return ofTake(before, last);
  if (isDealt(before, after)) return ofDeal(before, after);
  return ofTiling(before, after);
}

// Whether the second view is the first one with this take made, whatever else it says.
function isMade(before: AzulView, after: AzulView, { seat, move }: NonNullable<Last>): boolean {
  const take = takeIn(move);
  if (!take || !before.boards[seat] || !count(tilesAt(before, take.source), take.colour)) return false;
  const then = taken(before, move, seat);
  const same = then.centre === after.centre && then.factories.join('/') === after.factories.join('/');
  return same && then.boards[seat]!.lines.join('/') === after.boards[seat]!.lines.join('/');
}

function ofTake(before: AzulView, { seat, move }: NonNullable<Last>): Flight[] {
  const take = takeIn(move)!;
  const board = before.boards[seat]!;
  const put = made(before, board, take);
  const from = `${take.source}:${take.colour}`;
  const found: Flight[] = [];
  let index = 0;
  const fly = (thing: string, to: string) => {
    if (thing === 'm') found.push({ thing, from: 'C:m', index: 0, to });
    else found.push({ thing, from, index: index++, to });
  };
  const held = board.lines[put.line]?.length ?? 0;
  [...put.placed].forEach((thing, at) => fly(thing, `line:${seat}:${put.line}:${held + at}`));
  if (put.saucer) fly(put.saucer, `saucer:${seat}`);
  [...put.floor].forEach((thing, at) => fly(thing, `floor:${seat}:${board.floor.length + at}`));
  [...put.lost].forEach((thing) => fly(thing, 'lid'));
  const seen: Record<string, number> = {};
  for (const { letter, to } of rest(before, take)) {
    seen[letter] = (seen[letter] ?? -1) + 1;
    found.push({ thing: letter, from: `${take.source}:${letter}`, index: seen[letter], to: `${to}:${letter}` });
  }
  return found;
}

// Whether all that has changed is that empty discs were filled.
function isDealt(before: AzulView, after: AzulView): boolean {
  const kept = after.factories.every((tiles, at) => !before.factories[at] || before.factories[at] === tiles);
  return kept && !before.centre && after.factories.join() !== before.factories.join();
}

function ofDeal(before: AzulView, after: AzulView): Flight[] {
  return after.factories.flatMap((tiles, at) => {
    if (before.factories[at]) return [];
    return [...tiles].map((thing, place) => {
      const index = count(tiles.slice(0, place), thing);
      return { thing, from: 'bag', index, to: `${at + 1}:${thing}` };
    });
  });
}

// A line that has gone to the wall, to the floor line or away, and a floor line that was cleared.
function ofTiling(before: AzulView, after: AzulView): Flight[] {
  const found: Flight[] = [];
  before.boards.forEach((board, seat) => {
    const then = after.boards[seat]!;
    board.lines.forEach((tiles, line) => {
      if (tiles.length <= line || then.lines[line]) return;
      const column = [...then.wall[line]!].findIndex((tile, at) => tile !== '.' && board.wall[line]![at] === '.');
      const fallen = column < 0 ? then.floor.slice(board.floor.length) : '';
      [...tiles].forEach((thing, at) => {
        const to = column >= 0 && at === 0 ? `wall:${seat}:${line}:${column}` : 'lid';
        const floor = at < fallen.length ? `floor:${seat}:${board.floor.length + at}` : to;
        found.push({ thing, from: `line:${seat}:${line}:${at}`, index: 0, to: floor });
      });
    });
    if (board.floor && !then.floor) {
      [...board.floor].forEach((thing, at) => {
        const to = thing === 'm' ? 'C:m' : 'lid';
        if (thing !== 'm' || after.marker === null) found.push({ thing, from: `floor:${seat}:${at}`, index: 0, to });
      });
    }
  });
  return found;
}
