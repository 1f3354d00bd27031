// Pointers, wheel and keys over the table: what they mean for the card in hand, and for the table itself.
import type { Camera } from './camera.svelte';
import { ARROWS, inTurn, nearest, nextIn, PAGES, type Box, type Place } from './geometry';
import type { Spot } from './moves';
import type { Picking } from './picking.svelte';

const PRESS = 450; // milliseconds of a long press
const DWELL = 350; // of a pointer that rests where nothing fits
const WHEEL = 140; // between two turns by the wheel

export interface Scene {
  frame: HTMLElement;
  laid: Place | null; // the card that is chosen
  world: Box;
  choose: (move: string | null) => void;
  grab: (event: PointerEvent) => void; // the chosen card is taken up again
}

const covers = (card: Place | null, { x, y }: Place): boolean =>
  !!card && x >= card.x && x <= card.x + 2 && y >= card.y && y <= card.y + 2;

export class Pointing {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pressed = false;
  #byFinger = false;
  #wheeled = 0;

  constructor(
    readonly picking: Picking,
    readonly camera: Camera,
    readonly scene: () => Scene,
  ) {
    camera.onwheel = this.wheel;
  }

  // The place that is meant, and the spot there if one is near.
  #near(event: MouseEvent): { at: Place; place: Place; spot: Spot | null } {
    const { picking, camera } = this;
    const at = camera.cells(event.clientX, event.clientY);
    const fitting = picking.spots.filter((spot) => spot.moves[picking.turn]);
    const reach = Math.max(0.75, Math.min(1.4, 22 / camera.unit));
    const spot = nearest(fitting, at.x, at.y, reach) ?? nearest(picking.spots, at.x, at.y, reach);
    return { at, place: spot ?? { x: Math.round(at.x - 1), y: Math.round(at.y - 1) }, spot };
  }

  down = (event: PointerEvent): void => {
    const { picking, camera } = this;
    this.#pressed = false;
    this.#byFinger = event.pointerType !== 'mouse';
    clearTimeout(this.#timer);
    const { laid, grab } = this.scene();
    if (!event.button && picking.laying && covers(laid, camera.cells(event.clientX, event.clientY))) {
      grab(event);
      return;
    }
    camera.down(event);
    // A long press tells what would happen there, or why nothing can.
    if (this.#byFinger && picking.card)
      this.#timer = setTimeout(() => {
        if (camera.dragging) return;
        this.#pressed = true;
        picking.point(this.#near(event).place);
      }, PRESS);
  };

  move = (event: PointerEvent): void => {
    const { picking } = this;
    if (this.camera.move(event)) {
      clearTimeout(this.#timer);
      return;
    }
    if (event.pointerType !== 'mouse' || event.buttons || !picking.card || !picking.laying) return;
    clearTimeout(this.#timer);
    const { at, place, spot } = this.#near(event);
    const { laid, world } = this.scene();
    if (spot || laid) {
      picking.point(spot);
      return;
    }
    if (place.x === picking.at?.x && place.y === picking.at.y) return;
    picking.point(null);
    if (at.x > world.left && at.x < world.right && at.y > world.top && at.y < world.bottom)
      this.#timer = setTimeout(() => picking.point(place), DWELL);
  };

  up = (event: PointerEvent): void => {
    clearTimeout(this.#timer);
    this.camera.up(event);
  };

  leave = (event: PointerEvent): void => {
    clearTimeout(this.#timer);
    if (event.pointerType === 'mouse' && !this.scene().frame.querySelector(':focus-visible')) this.picking.point(null);
  };

  click = (event: MouseEvent): void => {
    const { picking } = this;
    if (this.camera.dragging || this.#pressed) return;
    const target = event.target as Element;
    const token = target.closest<SVGElement>('[data-token]')?.dataset.token;
    if (token) this.scene().choose(`token@${token}`);
    else if (picking.card && picking.laying) {
      const key = target.closest<SVGElement>('[data-spot]')?.dataset.spot;
      picking.lay(picking.spots.find((spot) => spot.key === key) ?? this.#near(event).place);
    }
  };

  // The right button turns the card; a long press by finger brings a context menu as well, and turns nothing.
  context = (event: MouseEvent): void => {
    if (!this.picking.card) return;
    event.preventDefault();
    if (!this.#byFinger) this.picking.rotate(event.shiftKey ? -1 : 1);
  };

  // Over a card that is not laid yet the wheel turns it, anywhere else it zooms.
  wheel = (event: WheelEvent): boolean => {
    const { picking, camera } = this;
    const at = camera.cells(event.clientX, event.clientY);
    if (event.ctrlKey || !picking.card || !(covers(picking.pointed, at) || covers(this.scene().laid, at))) return false;
    if (Math.abs(event.deltaY) > 1 && event.timeStamp - this.#wheeled > WHEEL) {
      this.#wheeled = event.timeStamp;
      picking.rotate(event.deltaY > 0 ? 1 : -1);
    }
    return true;
  };

  // Arrows walk from place to place, page keys through all of them; on the table itself arrows move it.
  key = (event: KeyboardEvent): void => {
    const { picking, camera } = this;
    const { spot, token } = (event.target as SVGElement).dataset;
    const places: (Place & { key: string })[] = spot ? picking.spots : token ? picking.choices.tokens : [];
    const from = places.find((one) => one.key === (spot ?? token));
    const way = ARROWS[event.key];
    const step = PAGES[event.key];
    if (event.key === 'Enter' || event.key === ' ') {
      if (!from) return;
      if (spot) picking.lay(from);
      else this.scene().choose(`token@${token}`);
    } else if ((way || step) && from) {
      const next = way ? nextIn(places, from, way) : inTurn(places, from, step!);
      if (next) {
        camera.show(next.x, next.y);
        const name = spot ? 'spot' : 'token';
        this.scene().frame.querySelector<SVGElement>(`[data-${name}="${next.key}"]`)?.focus({ preventScroll: true });
      }
    } else if (way) camera.pan(-way[0] * 60, -way[1] * 60);
    else if (event.key === '+' || event.key === '=') camera.scale(1.25);
    else if (event.key === '-') camera.scale(0.8);
    else if (event.key === '0') camera.refit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
