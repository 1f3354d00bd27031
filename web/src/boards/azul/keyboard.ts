// Arrow keys move the focus to the nearest element in that direction.
export interface Point {
  x: number;
  y: number;
}

const DIRECTIONS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function isArrow(key: string): boolean {
  return key in DIRECTIONS;
}

// The index of the nearest place in the direction of a key, -1 if there is none. Straight ahead counts as nearer.
export function nearest(from: Point, places: Point[], key: string): number {
  const [dx, dy] = DIRECTIONS[key] ?? [0, 0];
  let best = -1;
  let least = Infinity;
  places.forEach((place, at) => {
    const ahead = (place.x - from.x) * dx + (place.y - from.y) * dy;
    const aside = Math.abs((place.x - from.x) * dy) + Math.abs((place.y - from.y) * dx);
    if (ahead < 1 || aside > ahead * 3) return;
    const cost = ahead + aside * 2;
    if (cost < least) [best, least] = [at, cost];
  });
  return best;
}

const THINGS = '[data-take][data-legal], [data-line], [data-cell], [data-pass]:not(:disabled)';

export function step(root: HTMLElement, key: string): boolean {
  const from = document.activeElement;
  if (!from || !root.contains(from) || !from.matches(THINGS)) return false;
  const things = [...root.querySelectorAll<HTMLElement>(THINGS)].filter((one) => one !== from && one.tabIndex >= 0);
  const middle = (one: Element): Point => {
    const box = one.getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  };
  const index = nearest(middle(from), things.map(middle), key);
  things[index]?.focus();
  return index >= 0;
}
