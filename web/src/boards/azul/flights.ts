// Animates tiles that travel over the board: clones in a separate layer, moved by transforms only.
import type { Effect, GameName } from '../../lib/types';
import { applyEffect, applyEffects } from './applyEffects';
import { count, sourceName } from './moves';
import type { AzulEffect, AzulView } from './wire';

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

// Which tiles travel from where to where. Places have names: "4:B" (blue on factory 4), "C:B", "C:m", "line:0:2:1"
// (seat, line, space), "wall:0:2:3", "floor:0:4", "saucer:0", "bag", "lid".

export interface Flight {
  thing: string; // a letter, or "m"
  from: string;
  index: number; // which one, if there are several
  to: string;
}

// None if the effects do not lead from one view to the other: then some positions between them were not shown.
export function flights(game: GameName, before: AzulView, effects: readonly Effect[], after: AzulView): Flight[] {
  if (!effects.length || before.boards.length !== after.boards.length) return [];
  if (signOf(applyEffects(game, before, effects)) !== signOf(after)) return [];
  const taken: Flight[] = []; // tiles that are in somebody's hand
  const flights: Flight[] = [];
  const returned = effects.some((effect) => effect.type === 'round-begun');
  let view = before;
  for (const effect of effects as AzulEffect[]) {
    flights.push(...flightsOf(view, effect, taken, returned));
    view = applyEffect(game, view, effect);
  }
  return flights;
}

const signOf = ({ centre, factories, boards }: AzulView): string => JSON.stringify([centre, factories, boards]);

const tilesFrom = (place: string, tiles: string): Flight[] =>
  [...tiles].map((thing, at) => {
    return { thing, from: `${place}:${thing}`, index: count(tiles.slice(0, at), thing), to: '' };
  });

function flightsOf(view: AzulView, effect: AzulEffect, taken: Flight[], returned: boolean): Flight[] {
  const to = (all: Flight[], place: (flight: Flight, at: number) => string): Flight[] =>
    all.map((flight, at) => ({ ...flight, to: place(flight, at) }));
  const board = 'seat' in effect ? view.boards[effect.seat] : undefined;
  switch (effect.type) {
    case 'taken':
      taken.push(...tilesFrom(sourceName(effect.source), effect.colour.repeat(effect.number)));
      return [];
    case 'rest-moved':
    case 'attracted': {
      const tiles = effect.type === 'attracted' ? effect.colour : effect.tiles;
      return to(tilesFrom(sourceName(effect.source), tiles), ({ thing }) => `${sourceName(effect.to)}:${thing}`);
    }
    case 'marker-taken': {
      const place = effect.to === 'saucer' ? `saucer:${effect.seat}` : `floor:${effect.seat}:${board!.floor.length}`;
      return effect.to ? [{ thing: 'm', from: 'C:m', index: 0, to: place }] : [];
    }
    case 'placed': {
      const held = board!.lines[effect.line]!.length;
      return to(taken.splice(0, effect.number), (_, at) => `line:${effect.seat}:${effect.line}:${held + at}`);
    }
    case 'fell': {
      const line = effect.line === null ? null : `line:${effect.seat}:${effect.line}`;
      const tiles = line === null ? '' : (board!.lines[effect.line ?? 0] ?? '');
      const falling = [...tiles].map((thing, at): Flight => ({ thing, from: `${line}:${at}`, index: 0, to: '' }));
      const floor = effect.saucer + effect.floor;
      return to(line === null ? taken.splice(0) : falling, (_, at) => {
        if (at < effect.saucer) return `saucer:${effect.seat}`;
        return at < floor ? `floor:${effect.seat}:${board!.floor.length + at - effect.saucer}` : 'lid';
      });
    }
    case 'tiled':
      return [...(board!.lines[effect.line] ?? '')].map((thing, at) => {
        const place = at ? 'lid' : `wall:${effect.seat}:${effect.line}:${effect.column}`;
        return { thing, from: `line:${effect.seat}:${effect.line}:${at}`, index: 0, to: place };
      });
    case 'floor-scored':
      return [...effect.floor].flatMap((thing, at): Flight[] => {
        const place = thing === 'm' ? (returned ? 'C:m' : '') : 'lid';
        return place ? [{ thing, from: `floor:${effect.seat}:${at}`, index: 0, to: place }] : [];
      });
    case 'dealt': {
      const dealt = tilesFrom(sourceName(effect.source), effect.tiles);
      return dealt.map((flight) => ({ ...flight, from: 'bag', to: flight.from }));
    }
    default:
      return [];
  }
}
