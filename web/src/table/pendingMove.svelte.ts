// A move that was chosen on the board, until it is sent: at once, on confirmation, or after a countdown.

export type Stage = 'none' | 'asking' | 'counting' | 'sent';
export const COUNTDOWN = 3_000; // milliseconds

export class PendingMove {
  move = $state<string | null>(null);
  stage = $state<Stage>('none');
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sentAt = 0;

  constructor(
    readonly mode: () => 'off' | 'on' | 'countdown',
    readonly send: (move: string) => void,
    readonly plies: () => number = () => 0, // the number of plies in the game
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

  // Undo the choice, if it has not been sent.
  undo(): void {
    if (this.stage !== 'sent') this.drop();
  }

  // The board shows this many plies. If there are more than when the move was sent, the move is among them: drop it.
  seen(plies: number): void {
    if (this.stage === 'sent' && plies > this.#sentAt) this.drop();
  }

  // Forget the move: it was made or refused, or is no longer possible.
  drop(): void {
    clearTimeout(this.#timer);
    this.move = null;
    this.stage = 'none';
  }

  // The game has changed: a choice that has become illegal is dropped, any other stays.
  check(moves: readonly string[]): void {
    if (this.move !== null && this.stage !== 'sent' && !moves.includes(this.move)) this.drop();
  }
}
