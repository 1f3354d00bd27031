// Arrow keys move through the buttons of a list, Home and End go to its ends.

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

export function arrows(list: HTMLElement): { destroy: () => void } {
  function key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const buttons = [...list.querySelectorAll<HTMLButtonElement>('button:not(:disabled)')];
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    if (at < 0) return;
    const step = STEPS[event.key];
    let next: HTMLButtonElement | undefined;
    if (step) next = buttons[(at + step + buttons.length) % buttons.length];
    else if (event.key === 'Home') next = buttons[0];
    else if (event.key === 'End') next = buttons.at(-1);
    if (!next) return;
    event.preventDefault();
    next.focus();
  }
  list.addEventListener('keydown', key);
  return { destroy: () => list.removeEventListener('keydown', key) };
}
