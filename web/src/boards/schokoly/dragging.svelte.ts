// A card that is dragged to the table, by mouse or finger. Near a place where it fits it snaps to it.
import type { Camera } from './camera.svelte';
import { nearest, type Place } from './geometry';
import type { Picking } from './picking.svelte';

const STILL = 7; // pixels: a pointer that moves less is a tap
const ABOVE = 64; // under a finger nothing is seen: the card hovers above it
const REACH = 1.3; // cells to a place that draws the card to itself

export class Dragging {
  card = $state<string | null>(null); // its pieces while it is dragged
  snapped = $state(false);
  x = $state(0);
  y = $state(0);
  size = $state(80);

  #turn = 0; // as its holder has turned it; a place may turn it further
  #spot: Place | null = null;

  constructor(
    readonly picking: Picking,
    readonly camera: Camera,
  ) {}

  down(event: PointerEvent, index: number, root: HTMLElement): void {
    if (event.button || !this.picking.laying) return;
    const start = { x: event.clientX, y: event.clientY };
    const above = event.pointerType === 'mouse' ? 0 : ABOVE;
    const move = (now: PointerEvent) => {
      if (now.pointerId !== event.pointerId) return;
      if (!this.card) {
        if (Math.hypot(now.clientX - start.x, now.clientY - start.y) < STILL) return;
        this.picking.select(index);
        this.#turn = this.picking.turn;
        this.size = this.camera.unit * 2.1;
        root.setPointerCapture(event.pointerId);
      }
      now.preventDefault();
      this.#to(now.clientX, now.clientY - above);
    };
    const turn = (clicked: MouseEvent) => {
      if (!this.card) return;
      clicked.preventDefault();
      clicked.stopPropagation();
      if (above) return; // a long press
      this.picking.rotate();
      turned();
    };
    // The keyboard may have turned it as well.
    const turned = () => {
      if (!this.card) return;
      this.#turn = this.picking.turn;
      this.#to(this.x, this.y);
    };
    const end = (last: PointerEvent) => {
      if (last.pointerId !== event.pointerId || last.button > 0) return;
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
      removeEventListener('keydown', turned);
      removeEventListener('contextmenu', turn, true);
      if (this.card) this.#drop(last.type === 'pointerup');
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
    addEventListener('keydown', turned);
    addEventListener('contextmenu', turn, true);
  }

  #to(x: number, y: number): void {
    const { picking, camera } = this;
    [this.x, this.y] = [x, y];
    this.#spot = null;
    if (camera.holds(x, y)) {
      const at = camera.cells(x, y);
      const fitting = picking.spots.filter((spot) => spot.moves[this.#turn]);
      const spot = nearest(fitting, at.x, at.y, REACH) ?? nearest(picking.spots, at.x, at.y, REACH / 2);
      if (spot) {
        picking.turn = spot.moves[this.#turn] ? this.#turn : spot.moves.findIndex(Boolean);
        this.#spot = spot;
      }
    }
    if (!this.#spot) picking.turn = this.#turn;
    this.snapped = this.#spot !== null;
    this.card = picking.pieces;
    picking.point(this.#spot);
  }

  #drop(laid: boolean): void {
    const { picking, camera } = this;
    this.card = null;
    // The click that follows a drag is none.
    const swallow = (click: Event) => click.stopPropagation();
    addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener('click', swallow, { capture: true }));
    if (laid && this.#spot) picking.lay(this.#spot);
    else if (laid && camera.holds(this.x, this.y)) {
      const { x, y } = camera.cells(this.x, this.y);
      picking.point({ x: Math.round(x - 1), y: Math.round(y - 1) });
    } else picking.point(null);
  }
}
