// Where a take places its tiles, so that it can be drawn before the server has replied. They go on the line while there
// is room. The rest falls, the marker first: the first thing on a free saucer, the others on the floor line.
import type { AzulBoard, AzulView } from './view';
import { COSTS, FLOOR, count, takeIn, tilesAt, type Take } from './moves';

export interface Placement {
  line: number; // from 0; -1 for none
  placed: string;
  floor: string;
  saucer: string; // what it catches
  lost: string; // to the lid, because there is no room
}

export function placementOf(view: AzulView, board: AzulBoard, take: Take): Placement {
  const n = count(tilesAt(view, take.source), take.colour);
  const line = take.to === FLOOR ? -1 : +take.to - 1;
  const room = line < 0 ? 0 : line + 1 - (board.lines[line] ?? '').length;
  const placed = Math.max(0, Math.min(n, room));
  let falling = take.colour.repeat(n - placed);
  if (take.source === 'C' && view.marker === null) falling = 'm' + falling;
  const free = board.saucer === '' || view.discs[+take.source - 1] === 'saucer';
  const saucer = free ? falling.slice(0, 1) : '';
  falling = falling.slice(saucer.length);
  const spaces = COSTS.length - board.floor.length;
  return {
    line,
    placed: take.colour.repeat(placed),
    floor: falling.slice(0, spaces),
    saucer,
    lost: falling.slice(spaces).replace('m', ''),
  };
}

// Where each other tile of a source goes: 'C', or the number of a disc. Empty if they stay.
export function remainingTiles(view: AzulView, take: Take): { letter: string; to: string }[] {
  const kind = view.discs[+take.source - 1];
  if (take.source === 'C' || kind === 'keeper') return [];
  const others = [...tilesAt(view, take.source)].filter((letter) => letter !== take.colour);
  const side = (letter: string) => neighbour(view, +take.source, take.left.includes(letter) ? -1 : 1);
  return others.map((letter) => ({ letter, to: kind === 'spreader' ? String(side(letter)) : 'C' }));
}

// The nearest disc of the circle on one side; a saucer that has left the circle is skipped.
export function neighbour(view: AzulView, disc: number, step: 1 | -1): number {
  const all = view.discs.length;
  let at = disc;
  do at = ((at - 1 + step + all) % all) + 1;
  while (view.discs[at - 1] === 'saucer' && view.saucer_gone && at !== disc);
  return at;
}

// The whole position after a take, before the tiling.
export function viewAfterTake(view: AzulView, move: string, seat: number): AzulView {
  const take = takeIn(move);
  const board = view.boards[seat];
  if (!take || !board) return view;
  const put = placementOf(view, board, take);
  const factories = [...view.factories];
  let centre = view.centre;
  if (take.source === 'C') centre = centre.replaceAll(take.colour, '');
  else {
    const at = +take.source - 1;
    factories[at] = view.discs[at] === 'keeper' ? factories[at]!.replaceAll(take.colour, '') : '';
    for (const { letter, to } of remainingTiles(view, take)) {
      if (to === 'C') centre += letter;
      else factories[+to - 1] += letter;
    }
  }
  const lines = board.lines.map((line, at) => (at === put.line ? line + put.placed : line));
  const takesMarker = take.source === 'C' && view.marker === null;
  const hasSaucer = board.saucer !== null || view.discs[+take.source - 1] === 'saucer';
  const after: AzulBoard = {
    ...board,
    lines,
    floor: board.floor + put.floor,
    saucer: hasSaucer ? (board.saucer ?? '') + put.saucer : null,
  };
  const lid = view.lid.map((n, at) => n + count(put.lost, 'BYRKW'[at]!));
  return {
    ...view,
    centre: sorted(centre),
    factories: factories.map(sorted),
    lid,
    marker: takesMarker ? seat : view.marker,
    boards: view.boards.map((one, at) => (at === seat ? after : one)),
    saucer_gone: view.saucer_gone || hasSaucer,
  };
}

function sorted(tiles: string): string {
  return [...tiles].sort((a, b) => 'BYRKW'.indexOf(a) - 'BYRKW'.indexOf(b)).join('');
}
