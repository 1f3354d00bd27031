// Which part of the table is visible: dragged by mouse or finger, zoomed by wheel, pinch or button. Only a transform
// changes, so that nothing is redrawn while the table moves.
import { pace } from '../../lib/settings.svelte';
import { CELL, type Box } from './geometry';

const MAX_SCALE = 76; // pixels per cell
const FIT = 60; // the same, when the table is fitted to its frame
const MIN_SCALE = 11;
const NARROW = 560; // pixels: up to this width the tools are along the top edge ...
const TOOLS = 46; // ... and how high they are
const STILL = 6; // pixels: less movement counts as a tap

export class Camera {
  zoom = $state(1); // pixels per unit once the table has come to rest
  moved = $state(false); // by the user: from then on the table is not fitted automatically

  #x = 0;
  #y = 0;
  #k = 1;
  #frame: HTMLElement | null = null;
  #world: HTMLElement | null = null;
  #pointers = new Map<number, { x: number; y: number }>();
  #dragging = false;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #box: Box = { left: -2, top: -2, right: 4, bottom: 4 };

  // Attach to the frame, which clips the world that moves inside it.
  mount = (frame: HTMLElement): (() => void) => {
    this.#frame = frame;
    this.#world = frame.querySelector<HTMLElement>('[data-world]');
    const sizes = new ResizeObserver(() => {
      if (!this.moved) this.fit(this.#box, false);
    });
    sizes.observe(frame);
    frame.addEventListener('wheel', this.#wheel, { passive: false });
    return () => {
      sizes.disconnect();
      frame.removeEventListener('wheel', this.#wheel);
      clearTimeout(this.#rest);
    };
  };

  onwheel: (event: WheelEvent) => boolean = () => false; // whether the event was handled elsewhere

  fit(box: Box, smooth = true): void {
    this.#box = box;
    if (!this.#frame) return;
    const { clientWidth: width, clientHeight } = this.#frame;
    if (!width || !clientHeight) return;
    const top = width < NARROW ? TOOLS : 0;
    const height = clientHeight - top;
    const fits = Math.min(width / (box.right - box.left), height / (box.bottom - box.top));
    this.#k = Math.min(Math.max(fits, MIN_SCALE), FIT) / CELL;
    this.#x = width / 2 - (this.#k * CELL * (box.left + box.right)) / 2;
    this.#y = top + height / 2 - (this.#k * CELL * (box.top + box.bottom)) / 2;
    if (!smooth) this.zoom = this.#k;
    this.#draw(smooth);
  }

  refit(): void {
    this.moved = false;
    this.fit(this.#box);
  }

  // From screen coordinates to columns and rows.
  cells(clientX: number, clientY: number): { x: number; y: number } {
    const frame = this.#frame!.getBoundingClientRect();
    const unit = this.#k * CELL;
    return { x: (clientX - frame.left - this.#x) / unit, y: (clientY - frame.top - this.#y) / unit };
  }

  // From a column and a row to screen coordinates.
  screen(x: number, y: number): { x: number; y: number } {
    const frame = this.#frame!.getBoundingClientRect();
    const unit = this.#k * CELL;
    return { x: frame.left + this.#x + x * unit, y: frame.top + this.#y + y * unit };
  }

  get unit(): number {
    return this.#k * CELL;
  }

  contains(clientX: number, clientY: number): boolean {
    const frame = this.#frame?.getBoundingClientRect();
    if (!frame) return false;
    return clientX > frame.left && clientX < frame.right && clientY > frame.top && clientY < frame.bottom;
  }

  pan(right: number, down: number, smooth = true): void {
    this.#x += right;
    this.#y += down;
    this.moved = true;
    this.#draw(smooth);
  }

  scale(by: number, at?: { x: number; y: number }, smooth = true): void {
    const frame = this.#frame!.getBoundingClientRect();
    const x = at ? at.x - frame.left : frame.width / 2;
    const y = at ? at.y - frame.top : frame.height / 2;
    const k = Math.min(Math.max(this.#k * by, MIN_SCALE / CELL), MAX_SCALE / CELL);
    this.#x = x - ((x - this.#x) * k) / this.#k;
    this.#y = y - ((y - this.#y) * k) / this.#k;
    this.#k = k;
    this.moved = true;
    this.#draw(smooth);
  }

  // Bring a place fully into view, e.g. one focused with the keyboard.
  show(x: number, y: number): void {
    const frame = this.#frame?.getBoundingClientRect();
    if (!frame) return;
    const unit = this.unit;
    const [left, top] = [this.#x + x * unit, this.#y + y * unit];
    const right = Math.max(0, 8 - left) + Math.min(0, frame.width - 8 - left - 2 * unit);
    const down = Math.max(0, 8 - top) + Math.min(0, frame.height - 8 - top - 2 * unit);
    if (right || down) this.pan(right, down);
  }

  down = (event: PointerEvent): void => {
    if (event.button) return;
    this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.#dragging = this.#pointers.size > 1;
  };

  // Move the table with a pointer; returns whether it did.
  move = (event: PointerEvent): boolean => {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return false;
    const now = { x: event.clientX, y: event.clientY };
    if (!this.#dragging && Math.hypot(now.x - before.x, now.y - before.y) < STILL) return false;
    if (!this.#dragging || !this.#frame!.hasPointerCapture(event.pointerId)) {
      this.#frame!.setPointerCapture(event.pointerId);
      this.#dragging = true;
    }
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, now);
    if (other) {
      const far = (one: { x: number; y: number }) => Math.hypot(one.x - other.x, one.y - other.y) || 1;
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
      this.#x += (now.x - before.x) / 2;
      this.#y += (now.y - before.y) / 2;
      this.scale(far(now) / far(before), middle, false);
    } else this.pan(now.x - before.x, now.y - before.y, false);
    return true;
  };

  // Release a pointer; returns whether it had moved the table, so that this was not a tap.
  up = (event: PointerEvent): boolean => {
    const dragged = this.#dragging;
    this.#pointers.delete(event.pointerId);
    if (!this.#pointers.size) setTimeout(() => (this.#dragging = false)); // after the click that may follow
    return dragged;
  };

  get dragging(): boolean {
    return this.#dragging;
  }

  #wheel = (event: WheelEvent): void => {
    event.preventDefault();
    if (this.onwheel(event)) return;
    const lines = event.deltaMode ? 18 : 1;
    const speed = event.ctrlKey ? 0.01 : 0.0016; // a pinch on a touchpad arrives as a wheel event with the control key
    this.scale(Math.exp(-event.deltaY * lines * speed), { x: event.clientX, y: event.clientY }, false);
  };

  #draw(smooth: boolean): void {
    const world = this.#world;
    if (!world) return;
    world.style.transition = smooth && pace() ? `transform ${Math.min(pace(), 350)}ms ease-out` : 'none';
    world.style.willChange = 'transform';
    world.style.transform = `translate(${this.#x}px, ${this.#y}px) scale(${this.#k})`;
    clearTimeout(this.#rest);
    // Once it has come to rest, the table is drawn sharply again.
    this.#rest = setTimeout(
      () => {
        world.style.willChange = 'auto';
        this.zoom = this.#k;
      },
      smooth ? 380 : 160,
    );
  }
}
