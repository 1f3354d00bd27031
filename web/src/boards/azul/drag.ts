// Dragging tiles from a source to a line, by mouse or finger, with pointer events.
import type { GameName } from '../../lib/types';
import { picture } from './flights';
import type { BoardState } from './boardState.svelte';

const FAR = 7; // pixels after which a press is a drag

export function dragging(root: HTMLElement, layer: HTMLElement, boardState: BoardState): () => void {
  let start: { x: number; y: number; pick: string; id: number; source: HTMLElement } | null = null;
  let held: HTMLElement | null = null;
  let over: HTMLElement | null = null;
  let frame = 0;
  let point = { x: 0, y: 0 };
  let justDropped = false;

  function pressed(event: PointerEvent): void {
    const source = (event.target as Element).closest<HTMLElement>('[data-take][data-legal]');
    if (!source || event.button || start) return;
    start = { x: event.clientX, y: event.clientY, pick: source.dataset.take!, id: event.pointerId, source };
  }

  function moved(event: PointerEvent): void {
    if (!start || event.pointerId !== start.id) return;
    point = { x: event.clientX, y: event.clientY };
    if (!held) {
      if (Math.hypot(point.x - start.x, point.y - start.y) < FAR) return;
      lift();
    }
    if (!frame) frame = requestAnimationFrame(drawn);
  }

  function lift(): void {
    root.setPointerCapture(start!.id);
    if (boardState.picked !== start!.pick) boardState.lift(start!.pick);
    const n = start!.source.querySelectorAll('.one').length;
    const number = Number(start!.source.querySelector('.number')?.textContent ?? n);
    held = dragImage(boardState.props.game, start!.pick[1]!, number, start!.source.querySelector('.one')!.clientWidth);
    layer.append(held);
    root.classList.add('dragging');
  }

  function drawn(): void {
    frame = 0;
    if (!held) return;
    const box = root.getBoundingClientRect();
    held.style.transform = `translate(${point.x - box.left}px, ${point.y - box.top}px)`;
    const target = targetAt(point.x, point.y);
    if (target === over) return;
    over?.classList.remove('over');
    over = target;
    over?.classList.add('over');
    boardState.lookAt(over?.dataset.line ?? null);
  }

  // The line under the pointer; its row of the wall counts too.
  function targetAt(x: number, y: number): HTMLElement | null {
    const below = document.elementFromPoint(x, y);
    const line = below?.closest<HTMLElement>('[data-line]');
    if (line) return line;
    const row = below?.closest<HTMLElement>('[data-row]')?.dataset.row;
    return row ? (below!.closest('[data-seat]')?.querySelector<HTMLElement>(`[data-line="${row}"]`) ?? null) : null;
  }

  function released(event: PointerEvent): void {
    if (!start || event.pointerId !== start.id) return;
    if (held) {
      cancelAnimationFrame(frame);
      drawn();
      const to = event.type === 'pointerup' ? over?.dataset.line : undefined;
      justDropped = true;
      setTimeout(() => (justDropped = false));
      if (to && boardState.targets.has(to)) boardState.aim(to);
      else if (to) boardState.lookAt(to);
      else boardState.undo();
    }
    over?.classList.remove('over');
    root.classList.remove('dragging');
    held?.remove();
    start = held = over = null;
  }

  // Ignore the click that ends a drag.
  function clicked(event: MouseEvent): void {
    if (justDropped) event.stopPropagation();
    justDropped = false;
  }

  root.addEventListener('pointerdown', pressed);
  root.addEventListener('pointermove', moved);
  root.addEventListener('pointerup', released);
  root.addEventListener('pointercancel', released);
  root.addEventListener('click', clicked, true);
  return () => {
    root.removeEventListener('pointerdown', pressed);
    root.removeEventListener('pointermove', moved);
    root.removeEventListener('pointerup', released);
    root.removeEventListener('pointercancel', released);
    root.removeEventListener('click', clicked, true);
  };
}

// The tiles while they are dragged: side by side, and above the finger so that they are visible.
function dragImage(game: GameName, letter: string, n: number, width: number): HTMLElement {
  const held = document.createElement('div');
  held.className = 'held';
  for (let at = 0; at < n; at += 1) {
    const tile = picture(game, letter);
    tile.style.width = tile.style.height = `${width}px`;
    tile.style.left = `${(at - n / 2) * width * Math.min(1, 3 / n)}px`;
    tile.style.top = `${-width * 1.15}px`;
    held.append(tile);
  }
  return held;
}
