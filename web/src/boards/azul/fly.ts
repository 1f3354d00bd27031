// Lets tiles travel over the board: clones in a layer of their own, moved by transforms only.
import type { GameName } from '../../lib/types';
import type { Flight } from './flights';

interface Box {
  x: number;
  y: number;
  width: number;
}

export interface Started extends Flight {
  box: Box;
  joins: boolean; // a pile that lies there already
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

// The tile that lies at a place, if there are several the one with this number; else the place itself.
function tileAt(root: HTMLElement, name: string, index: number): Element | null {
  const place = placeOf(root, name) ?? (name.startsWith('C:') ? placeOf(root, `${name}:place`) : null);
  const ones = place?.querySelectorAll('.one');
  return ones?.[Math.min(index, ones.length - 1)] ?? place?.querySelector('svg.tile') ?? place;
}

// Where something is, in pixels of the root. A board that is swiped away is where its head is.
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

// Before the new view is drawn: where everything that will travel lies now.
export function started(root: HTMLElement, flights: Flight[]): Started[] {
  return flights.flatMap((flight) => {
    const box = boxOf(root, tileAt(root, flight.from, flight.index));
    const joins = /^[C1-9]:/.test(flight.to) && placeOf(root, flight.to) !== null;
    return box ? [{ ...flight, box, joins }] : [];
  });
}

// After it was drawn: let everything travel there.
export function fly(root: HTMLElement, sky: HTMLElement, game: GameName, flights: Started[], length: number): void {
  const step = Math.min(length * 0.09, (length * 1.6) / Math.max(flights.length, 1));
  flights.forEach((flight, order) => {
    const target = tileAt(root, flight.to, flight.index);
    const end = boxOf(root, target);
    if (!target || !end) return;
    const delay = order * step;
    if (flight.to !== 'lid' && !flight.joins) hide(target, delay + length * 0.96);
    const frames = way(flight.box, end);
    if (flight.to === 'lid') frames.forEach((frame, number) => (frame.opacity = [1, 0.9, 0.25][number]!));
    const clone = picture(game, flight.thing);
    clone.style.width = clone.style.height = `${Math.max(flight.box.width, end.width)}px`;
    sky.append(clone);
    const animation = clone.animate(frames, { duration: length, delay, fill: 'both' });
    animation.onfinish = animation.oncancel = () => clone.remove();
  });
}

function hide(target: Element, duration: number): void {
  target.animate([{ opacity: 0 }, { opacity: 0 }], { duration });
}

// From one place to another in a low arc.
function way(from: Box, to: Box): Keyframe[] {
  const size = Math.max(from.width, to.width);
  const at = (x: number, y: number, width: number) => `translate(${x}px, ${y}px) scale(${width / size})`;
  const arc = Math.min(26, Math.hypot(to.x - from.x, to.y - from.y) * 0.12);
  return [
    { transform: at(from.x, from.y, from.width), easing: 'ease-in' },
    { transform: at((from.x + to.x) / 2, (from.y + to.y) / 2 - arc, size * 1.08), easing: 'ease-out' },
    { transform: at(to.x, to.y, to.width) },
  ];
}
