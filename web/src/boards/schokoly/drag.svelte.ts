// Dragging a card to the table, by mouse or finger. Near a place where it fits, it snaps into place.
import type { Camera } from './camera.svelte';
import { nearest, type Place } from './geometry';
import type { CardSelection } from './selection.svelte';

const STILL = 7; // pixels: less movement counts as a tap
const ABOVE = 64; // pixels: the card hovers above the finger, which would cover it
const REACH = 1.3; // cells: how close a place has to be to attract the card

export class CardDrag {
  card = $state<string | null>(null); // its pieces while it is dragged
  snapped = $state(false);
  x = $state(0);
  y = $state(0);
  size = $state(80);

  #turn = 0; // the rotation chosen by the user; a place may require another one
  #spot: Place | null = null;

  constructor(
    readonly selection: CardSelection,
    readonly camera: Camera,
  ) {}

  down(event: PointerEvent, index: number, root: HTMLElement): void {
    if (event.button || !this.selection.laying) return;
    const start = { x: event.clientX, y: event.clientY };
    const above = event.pointerType === 'mouse' ? 0 : ABOVE;
    const move = (now: PointerEvent) => {
      if (now.pointerId !== event.pointerId) return;
      if (!this.card) {
        if (Math.hypot(now.clientX - start.x, now.clientY - start.y) < STILL) return;
        this.selection.select(index);
        this.#turn = this.selection.turn;
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
      this.selection.rotate();
      turned();
    };
    // The card may also have been turned with the keyboard.
    const turned = () => {
      if (!this.card) return;
      this.#turn = this.selection.turn;
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
    const { selection, camera } = this;
    [this.x, this.y] = [x, y];
    this.#spot = null;
    if (camera.contains(x, y)) {
      const at = camera.cells(x, y);
      const fitting = selection.spots.filter((spot) => spot.moves[this.#turn]);
      const spot = nearest(fitting, at.x, at.y, REACH) ?? nearest(selection.spots, at.x, at.y, REACH / 2);
      if (spot) {
        selection.turn = spot.moves[this.#turn] ? this.#turn : spot.moves.findIndex(Boolean);
        this.#spot = spot;
      }
    }
    if (!this.#spot) selection.turn = this.#turn;
    this.snapped = this.#spot !== null;
    this.card = selection.pieces;
    selection.point(this.#spot);
  }

  #drop(laid: boolean): void {
    const { selection, camera } = this;
    this.card = null;
    // Ignore the click that follows a drag.
    const swallow = (click: Event) => click.stopPropagation();
    addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener('click', swallow, { capture: true }));
    if (laid && this.#spot) selection.lay(this.#spot);
    else if (laid && camera.contains(this.x, this.y)) {
      const { x, y } = camera.cells(this.x, this.y);
      selection.point({ x: Math.round(x - 1), y: Math.round(y - 1) });
    } else selection.point(null);
  }
}
