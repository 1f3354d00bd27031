// A move that was chosen on the board, until it is sent: at once, when it is confirmed, or after a while.

export type Stage = 'none' | 'asking' | 'counting' | 'sent';
export const COUNTDOWN = 3_000; // milliseconds

export class Choice {
  move = $state<string | null>(null);
  stage = $state<Stage>('none');
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sentAt = 0;

  constructor(
    readonly mode: () => 'off' | 'on' | 'countdown',
    readonly send: (move: string) => void,
    readonly plies: () => number = () => 0, // how far the game is
  ) {}

  choose(move: string | null): void {
    if (this.stage === 'sent') return;
    if (move === null) this.drop();
    else if (move === this.move) this.confirm();
    else {
      clearTimeout(this.#timer);
      this.move = move;
      const mode = this.mode();
      if (mode === 'off') this.confirm();
      else if (mode === 'on') this.stage = 'asking';
      else {
        this.stage = 'counting';
        this.#timer = setTimeout(() => this.confirm(), COUNTDOWN);
      }
    }
  }

  confirm(): void {
    if (this.move === null || this.stage === 'sent') return;
    clearTimeout(this.#timer);
    this.stage = 'sent';
    this.#sentAt = this.plies();
    this.send(this.move);
  }

  // Take the choice back, if it is not sent.
  undo(): void {
    if (this.stage !== 'sent') this.drop();
  }

  // The board shows a game of so many plies: a move that was sent before is one of them, even if others came after it.
  seen(plies: number): void {
    if (this.stage === 'sent' && plies > this.#sentAt) this.drop();
  }

  // It was made or refused, or cannot be made any more.
  drop(): void {
    clearTimeout(this.#timer);
    this.move = null;
    this.stage = 'none';
  }

  // The game as it is now: a choice that has become impossible goes, one that waits stays.
  check(moves: readonly string[]): void {
    if (this.move !== null && this.stage !== 'sent' && !moves.includes(this.move)) this.drop();
  }
}
