// Handles pointers, wheel and keys over the table: they move the selected card, or the table itself.
import type { Camera } from './camera.svelte';
import { ARROWS, nextByRow, nearest, nextIn, PAGES, type Box, type Place } from './geometry';
import type { Spot } from './moves';
import type { CardSelection } from './selection.svelte';

const PRESS = 450; // milliseconds: a long press
const DWELL = 350; // milliseconds that a pointer has to rest where nothing fits
const WHEEL = 140; // milliseconds between two rotations with the wheel

export interface TableInputProps {
  frame: HTMLElement;
  laid: Place | null; // the chosen card
  world: Box;
  choose: (move: string | null) => void;
  grab: (event: PointerEvent) => void; // pick the chosen card up again
}

const covers = (card: Place | null, { x, y }: Place): boolean =>
  !!card && x >= card.x && x <= card.x + 2 && y >= card.y && y <= card.y + 2;

export class TableInput {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pressed = false;
  #byFinger = false;
  #wheeled = 0;

  constructor(
    readonly selection: CardSelection,
    readonly camera: Camera,
    readonly props: () => TableInputProps,
  ) {
    camera.onwheel = this.wheel;
  }

  // The place under the pointer, and the spot there if one is near.
  #near(event: MouseEvent): { at: Place; place: Place; spot: Spot | null } {
    const { selection, camera } = this;
    const at = camera.cells(event.clientX, event.clientY);
    const fitting = selection.spots.filter((spot) => spot.moves[selection.turn]);
    const reach = Math.max(0.75, Math.min(1.4, 22 / camera.unit));
    const spot = nearest(fitting, at.x, at.y, reach) ?? nearest(selection.spots, at.x, at.y, reach);
    return { at, place: spot ?? { x: Math.round(at.x - 1), y: Math.round(at.y - 1) }, spot };
  }

  down = (event: PointerEvent): void => {
    const { selection, camera } = this;
    this.#pressed = false;
    this.#byFinger = event.pointerType !== 'mouse';
    clearTimeout(this.#timer);
    const { laid, grab } = this.props();
    if (!event.button && selection.laying && covers(laid, camera.cells(event.clientX, event.clientY))) {
      grab(event);
      return;
    }
    camera.down(event);
    // A long press shows what a move there would do, or why it is illegal.
    if (this.#byFinger && selection.card)
      this.#timer = setTimeout(() => {
        if (camera.dragging) return;
        this.#pressed = true;
        selection.point(this.#near(event).place);
      }, PRESS);
  };

  move = (event: PointerEvent): void => {
    const { selection } = this;
    if (this.camera.move(event)) {
      clearTimeout(this.#timer);
      return;
    }
    if (event.pointerType !== 'mouse' || event.buttons || !selection.card || !selection.laying) return;
    clearTimeout(this.#timer);
    const { at, place, spot } = this.#near(event);
    const { laid, world } = this.props();
    if (spot || laid) {
      selection.point(spot);
      return;
    }
    if (place.x === selection.at?.x && place.y === selection.at.y) return;
    selection.point(null);
    if (at.x > world.left && at.x < world.right && at.y > world.top && at.y < world.bottom)
      this.#timer = setTimeout(() => selection.point(place), DWELL);
  };

  up = (event: PointerEvent): void => {
    clearTimeout(this.#timer);
    this.camera.up(event);
  };

  leave = (event: PointerEvent): void => {
    clearTimeout(this.#timer);
    if (event.pointerType === 'mouse' && !this.props().frame.querySelector(':focus-visible'))
      this.selection.point(null);
  };

  click = (event: MouseEvent): void => {
    const { selection } = this;
    if (this.camera.dragging || this.#pressed) return;
    const target = event.target as Element;
    const token = target.closest<SVGElement>('[data-token]')?.dataset.token;
    if (token) this.#secure(token);
    else if (selection.card && selection.laying) {
      const key = target.closest<SVGElement>('[data-spot]')?.dataset.spot;
      selection.lay(selection.spots.find((spot) => spot.key === key) ?? this.#near(event).place);
    }
  };

  #secure(key: string): void {
    const chosen = this.selection.choices.tokens.find((one) => one.key === key);
    if (chosen) this.props().choose(chosen.move);
  }

  // The right mouse button turns the card; a context menu opened by a long press does not.
  context = (event: MouseEvent): void => {
    if (!this.selection.card) return;
    event.preventDefault();
    if (!this.#byFinger) this.selection.rotate(event.shiftKey ? -1 : 1);
  };

  // Over a card that is not laid yet, the wheel turns the card; anywhere else it zooms.
  wheel = (event: WheelEvent): boolean => {
    const { selection, camera } = this;
    const at = camera.cells(event.clientX, event.clientY);
    if (event.ctrlKey || !selection.card || !(covers(selection.pointed, at) || covers(this.props().laid, at)))
      return false;
    if (Math.abs(event.deltaY) > 1 && event.timeStamp - this.#wheeled > WHEEL) {
      this.#wheeled = event.timeStamp;
      selection.rotate(event.deltaY > 0 ? 1 : -1);
    }
    return true;
  };

  // Arrow keys move the focus from place to place, page keys through all places; on the table itself, arrow keys pan it.
  key = (event: KeyboardEvent): void => {
    const { selection, camera } = this;
    const { spot, token } = (event.target as SVGElement).dataset;
    const places: (Place & { key: string })[] = spot ? selection.spots : token ? selection.choices.tokens : [];
    const from = places.find((one) => one.key === (spot ?? token));
    const direction = ARROWS[event.key];
    const step = PAGES[event.key];
    if (event.key === 'Enter' || event.key === ' ') {
      if (!from) return;
      if (spot) selection.lay(from);
      else if (token) this.#secure(token);
    } else if ((direction || step) && from) {
      const next = direction ? nextIn(places, from, direction) : nextByRow(places, from, step!);
      if (next) {
        camera.show(next.x, next.y);
        const name = spot ? 'spot' : 'token';
        this.props().frame.querySelector<SVGElement>(`[data-${name}="${next.key}"]`)?.focus({ preventScroll: true });
      }
    } else if (direction) camera.pan(-direction[0] * 60, -direction[1] * 60);
    else if (event.key === '+' || event.key === '=') camera.scale(1.25);
    else if (event.key === '-') camera.scale(0.8);
    else if (event.key === '0') camera.refit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
