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

// Typed moves: `normalised` removes what may be left out.

type Normalised = (text: string) => string;

// The legal moves that start with what was typed; an exact match comes first.
export function matchingMoves(normalised: Normalised, moves: string[], typed: string): string[] {
  const wanted = normalised(typed);
  if (!wanted) return [];
  const written = moves.map((move) => ({ move, text: normalised(move) }));
  const matches = written.filter(({ text }) => text.startsWith(wanted));
  return matches.sort((a, b) => Number(b.text === wanted) - Number(a.text === wanted)).map(({ move }) => move);
}

// The move that is meant: the only match, or the exact match.
export function resolveMove(normalised: Normalised, moves: string[], typed: string): string | null {
  const matches = matchingMoves(normalised, moves, typed);
  const first = matches[0];
  if (first === undefined) return null;
  return matches.length === 1 || normalised(first) === normalised(typed) ? first : null;
}
