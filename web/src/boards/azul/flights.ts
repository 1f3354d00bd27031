// Animates tiles that travel over the board: clones in a separate layer, moved by transforms only.
import type { GameName } from '../../lib/types';
import type { AzulView } from './view';
import { placementOf, remainingTiles, viewAfterTake } from './placement';
import { count, takeIn, tilesAt } from './moves';

interface Box {
  x: number;
  y: number;
  width: number;
}

export interface MeasuredFlight extends Flight {
  box: Box;
  joins: boolean; // whether it joins an existing pile
}

const SVG = 'http://www.w3.org/2000/svg';

export function picture(game: GameName, thing: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 40 40');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(SVG, 'use');
  use.setAttribute('href', `#tile-${game}-${thing}`);
  svg.append(use);
  return svg;
}

function placeOf(root: HTMLElement, name: string): HTMLElement | null {
  return root.querySelector<HTMLElement>(`[data-at="${name}"]`);
}

// The tile at a place, by its index if there are several; otherwise the place itself.
function tileAt(root: HTMLElement, name: string, index: number): Element | null {
  const place = placeOf(root, name) ?? (name.startsWith('C:') ? placeOf(root, `${name}:place`) : null);
  const ones = place?.querySelectorAll('.one');
  return ones?.[Math.min(index, ones.length - 1)] ?? place?.querySelector('svg.tile') ?? place;
}

// Where an element is, in pixels from the corner of the root. A board that is swiped away is represented by its header.
function boxOf(root: HTMLElement, element: Element | null): Box | null {
  if (!element) return null;
  const frame = root.getBoundingClientRect();
  let box = element.getBoundingClientRect();
  const seat = element.closest<HTMLElement>('[data-seat]')?.dataset.seat;
  const away = box.right < frame.left + 4 || box.left > frame.right - 4;
  if (away && seat) box = root.querySelector(`[data-head="${seat}"]`)?.getBoundingClientRect() ?? box;
  if (!box.width) return null;
  const width = Math.min(box.width, box.height);
  const x = box.left - frame.left + (box.width - width) / 2;
  const y = box.top - frame.top + (box.height - width) / 2;
  return { x, y, width };
}

// Measure where all travelling tiles are now; called before the new view is drawn.
export function measureFlights(root: HTMLElement, flights: Flight[]): MeasuredFlight[] {
  return flights.flatMap((flight) => {
    const box = boxOf(root, tileAt(root, flight.from, flight.index));
    const joins = /^[C1-9]:/.test(flight.to) && placeOf(root, flight.to) !== null;
    return box ? [{ ...flight, box, joins }] : [];
  });
}

// Animate all travelling tiles to their new places; called after the new view was drawn.
export function fly(
  root: HTMLElement,
  layer: HTMLElement,
  game: GameName,
  flights: MeasuredFlight[],
  length: number,
): void {
  const step = Math.min(length * 0.09, (length * 1.6) / Math.max(flights.length, 1));
  flights.forEach((flight, order) => {
    const target = tileAt(root, flight.to, flight.index);
    const end = boxOf(root, target);
    if (!target || !end) return;
    const delay = order * step;
    if (flight.to !== 'lid' && !flight.joins) hide(target, delay + length * 0.96);
    const frames = keyframes(flight.box, end);
    if (flight.to === 'lid') frames.forEach((frame, number) => (frame.opacity = [1, 0.9, 0.25][number]!));
    const clone = picture(game, flight.thing);
    clone.style.width = clone.style.height = `${Math.max(flight.box.width, end.width)}px`;
    layer.append(clone);
    const animation = clone.animate(frames, { duration: length, delay, fill: 'both' });
    animation.onfinish = animation.oncancel = () => clone.remove();
  });
}

function hide(target: Element, duration: number): void {
  target.animate([{ opacity: 0 }, { opacity: 0 }], { duration });
}

// The keyframes from one place to another, in a low arc.
function keyframes(from: Box, to: Box): Keyframe[] {
  const size = Math.max(from.width, to.width);
  const at = (x: number, y: number, width: number) => `translate(${x}px, ${y}px) scale(${width / size})`;
  const arc = Math.min(26, Math.hypot(to.x - from.x, to.y - from.y) * 0.12);
  return [
    { transform: at(from.x, from.y, from.width), easing: 'ease-in' },
    { transform: at((from.x + to.x) / 2, (from.y + to.y) / 2 - arc, size * 1.08), easing: 'ease-out' },
    { transform: at(to.x, to.y, to.width) },
  ];
}

// Which tiles travel from where to where when one view follows another. Places have names: "4:B" (blue on factory 4),
// "C:B", "C:m", "line:0:2:1" (seat, line, space), "wall:0:2:3", "floor:0:4", "saucer:0", "bag", "lid".

export interface Flight {
  thing: string; // a letter, or "m"
  from: string;
  index: number; // which one, if there are several
  to: string;
}

type Last = { seat: number; move: string } | null;

export function flights(before: AzulView, after: AzulView, last: Last): Flight[] {
  if (before.boards.length !== after.boards.length) return [];
  if (last && isMade(before, after, last)) return ofTake(before, last);
  if (isDealt(before, after)) return ofDeal(before, after);
  return ofTiling(before, after);
}

// Whether this take leads from the first view to the second, judged by centre, factories and the seat's lines.
function isMade(before: AzulView, after: AzulView, { seat, move }: NonNullable<Last>): boolean {
  const take = takeIn(move);
  if (!take || !before.boards[seat] || !count(tilesAt(before, take.source), take.colour)) return false;
  const then = viewAfterTake(before, move, seat);
  const same = then.centre === after.centre && then.factories.join('/') === after.factories.join('/');
  return same && then.boards[seat]!.lines.join('/') === after.boards[seat]!.lines.join('/');
}

function ofTake(before: AzulView, { seat, move }: NonNullable<Last>): Flight[] {
  const take = takeIn(move)!;
  const board = before.boards[seat]!;
  const put = placementOf(before, board, take);
  const from = `${take.source}:${take.colour}`;
  const flights: Flight[] = [];
  let index = 0;
  const fly = (thing: string, to: string) => {
    if (thing === 'm') flights.push({ thing, from: 'C:m', index: 0, to });
    else flights.push({ thing, from, index: index++, to });
  };
  const held = board.lines[put.line]?.length ?? 0;
  [...put.placed].forEach((thing, at) => fly(thing, `line:${seat}:${put.line}:${held + at}`));
  if (put.saucer) fly(put.saucer, `saucer:${seat}`);
  [...put.floor].forEach((thing, at) => fly(thing, `floor:${seat}:${board.floor.length + at}`));
  [...put.lost].forEach((thing) => fly(thing, 'lid'));
  const seen: Record<string, number> = {};
  for (const { letter, to } of remainingTiles(before, take)) {
    seen[letter] = (seen[letter] ?? -1) + 1;
    flights.push({ thing: letter, from: `${take.source}:${letter}`, index: seen[letter], to: `${to}:${letter}` });
  }
  return flights;
}

// Whether the only change is that empty discs were filled.
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

// A line that moved to the wall, to the floor line or off the board, and a floor line that was cleared.
function ofTiling(before: AzulView, after: AzulView): Flight[] {
  const flights: Flight[] = [];
  before.boards.forEach((board, seat) => {
    const then = after.boards[seat]!;
    board.lines.forEach((tiles, line) => {
      if (tiles.length <= line || then.lines[line]) return;
      const column = [...then.wall[line]!].findIndex((tile, at) => tile !== '.' && board.wall[line]![at] === '.');
      const fallen = column < 0 ? then.floor.slice(board.floor.length) : '';
      [...tiles].forEach((thing, at) => {
        const to = column >= 0 && at === 0 ? `wall:${seat}:${line}:${column}` : 'lid';
        const floor = at < fallen.length ? `floor:${seat}:${board.floor.length + at}` : to;
        flights.push({ thing, from: `line:${seat}:${line}:${at}`, index: 0, to: floor });
      });
    });
    if (board.floor && !then.floor) {
      [...board.floor].forEach((thing, at) => {
        const to = thing === 'm' ? 'C:m' : 'lid';
        if (thing !== 'm' || after.marker === null) flights.push({ thing, from: `floor:${seat}:${at}`, index: 0, to });
      });
    }
  });
  return flights;
}
