// The tiling as a sequence of frames: the server lists the steps (`effects.tiling`), and the view after each step is
// computed here.
import type { AzulBoard, AzulView, Effects, GameName, TilingStep } from '../../lib/types';
import type { Frame } from '../types';
import { t } from '../../lib/i18n.svelte';
import { viewAfterTake } from './placement';
import { COSTS, LETTERS, count, takeIn } from './moves';

type Part = Omit<Frame, 'view'>;

export function azulFrames(
  before: AzulView,
  move: string,
  seat: number,
  effects: Effects,
  after: AzulView,
  game: GameName = 'azul',
): Frame[] {
  const builder = new FrameBuilder(before, move, seat, game);
  for (const step of effects.tiling ?? []) builder.add(step);
  return [...builder.frames, { view: after, text: '', seat: null, points: null, at: [] }];
}

class FrameBuilder {
  readonly frames: Frame[] = [];
  private view: AzulView;

  constructor(
    before: AzulView,
    move: string,
    seat: number,
    private readonly game: GameName,
  ) {
    this.view = { ...before, phase: 'tiling', seat: null };
    const take = takeIn(move);
    if (!take) return;
    this.view = viewAfterTake(this.view, move, seat);
    const at = take.to === 'F' ? 'floor' : `line:${take.to}`;
    this.show({ text: t('azul.last-taken'), seat, points: null, at: [`board:${seat + 1}:${at}`] });
  }

  add(step: TilingStep): void {
    const { seat } = step;
    const place = (thing: string) => [`board:${seat + 1}:${thing}`];
    if (step.line !== undefined) {
      this.tile(step);
      const line = step.line + 1;
      const points = step.points ?? 0;
      const text = t(`azul.frame.${this.game}.tiled`, { line, n: points });
      this.show({ text, seat, points, at: place(`wall:row:${line}`) });
    } else if (step.floor !== undefined) {
      this.letFall(seat);
      this.clear(seat, step.floor);
      const cost = step.floor < 0 ? `−${-step.floor}` : '0';
      this.show({ text: `${t(`azul.floor.${this.game}`)}: ${cost}`, seat, points: step.floor, at: place('floor') });
    } else {
      const points = step.points ?? 0;
      this.change(seat, (board) => ({ ...board, score: board.score + points }));
      this.show({ text: t(`azul.bonus.${step.bonus}`, { n: points }), seat, points, at: place('wall') });
    }
  }

  private show(part: Part): void {
    this.frames.push({ ...part, view: this.view });
  }

  private change(seat: number, how: (board: AzulBoard) => AzulBoard): void {
    this.view = { ...this.view, boards: this.view.boards.map((board, at) => (at === seat ? how(board) : board)) };
  }

  private toLid(tiles: string): void {
    this.view = { ...this.view, lid: this.view.lid.map((n, at) => n + count(tiles, LETTERS[at]!)) };
  }

  private tile({ seat, line = 0, column = 0, colour = '', points = 0 }: TilingStep): void {
    this.toLid((this.view.boards[seat]?.lines[line] ?? '').slice(1));
    this.change(seat, (board) => ({
      ...board,
      score: board.score + points,
      lines: board.lines.map((tiles, at) => (at === line ? '' : tiles)),
      wall: board.wall.map((row, at) => (at === line ? row.slice(0, column) + colour + row.slice(column + 1) : row)),
    }));
  }

  // Full lines without a possible cell fall before the floor line is scored (grey wall).
  private letFall(seat: number): void {
    const lines = this.view.boards[seat]?.lines ?? [];
    lines.forEach((tiles, line) => {
      if (tiles.length <= line) return;
      const { floor, saucer } = this.view.boards[seat]!;
      const caught = saucer === '' ? 1 : 0;
      const space = caught + COSTS.length - floor.length;
      this.toLid(tiles.slice(space));
      this.change(seat, (board) => ({
        ...board,
        lines: board.lines.map((other, at) => (at === line ? '' : other)),
        floor: floor + tiles.slice(caught, space),
        saucer: caught ? tiles[0]! : saucer,
      }));
      const text = t(`azul.frame.${this.game}.falls`, { line: line + 1 });
      this.show({ text, seat, points: null, at: [`board:${seat + 1}:floor`] });
    });
  }

  private clear(seat: number, points: number): void {
    const board = this.view.boards[seat];
    this.toLid((board?.floor ?? '') + (board?.saucer ?? ''));
    this.change(seat, (one) => ({
      ...one,
      score: one.score + points,
      floor: '',
      saucer: one.saucer === null ? null : '',
    }));
  }
}
