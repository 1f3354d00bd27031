// A view after the effects of a move, applied one by one. No rule is known here: the effects say all that happens.
import type { Effect, GameName } from '../../lib/types';
import { inOrder, lettersOf } from './edition';
import { count } from './moves';
import type { AzulEffect, AzulView, Board } from './wire';

export const applyEffects = (game: GameName, view: AzulView, effects: readonly Effect[]): AzulView =>
  (effects as AzulEffect[]).reduce((now, effect) => applyEffect(game, now, effect), view);

export function applyEffect(game: GameName, view: AzulView, effect: AzulEffect): AzulView {
  switch (effect.type) {
    case 'taken':
      return changeSource(game, view, effect.source, (tiles) => tiles.replaceAll(effect.colour, ''));
    case 'rest-moved':
      return moveTiles(game, view, effect.source, effect.to, effect.tiles);
    case 'attracted':
      return moveTiles(game, view, effect.source, effect.to, effect.colour);
    case 'saucer-taken':
      return { ...changeBoard(view, effect.seat, { saucer: '' }), saucer_gone: true };
    case 'saucer-returned':
      return { ...changeBoard(view, effect.seat, { saucer: null }), saucer_gone: false };
    case 'marker-taken': {
      const taken = { ...view, marker: effect.seat };
      return effect.to ? changeBoard(taken, effect.seat, added(view, effect.seat, effect.to, 'm')) : taken;
    }
    case 'placed':
      return changeBoard(view, effect.seat, {
        lines: replaced(board(view, effect.seat).lines, effect.line, (held) => held + tilesOf(effect)),
      });
    case 'fell': {
      const { seat, colour } = effect;
      const lines = board(view, seat).lines;
      const caught = effect.saucer ? added(view, seat, 'saucer', colour) : {};
      const fallen = added(view, seat, 'floor', colour.repeat(effect.floor));
      const emptied = effect.line === null ? {} : { lines: replaced(lines, effect.line, () => '') };
      return toLid(game, changeBoard(view, seat, { ...caught, ...fallen, ...emptied }), colour.repeat(effect.lid));
    }
    case 'tiled': {
      const { lines, wall, score } = board(view, effect.seat);
      const { line, column, colour } = effect;
      const rest = (lines[line] ?? '').slice(1);
      const changed = changeBoard(view, effect.seat, {
        score: score + effect.points,
        lines: replaced(lines, line, () => ''),
        wall: replaced(wall, line, (row) => row.slice(0, column) + colour + row.slice(column + 1)),
      });
      return toLid(game, changed, rest);
    }
    case 'floor-scored': {
      const { score, saucer } = board(view, effect.seat);
      const changed = { score: score + effect.points, floor: '', saucer: saucer === null ? null : '' };
      return toLid(game, changeBoard(view, effect.seat, changed), effect.floor + effect.saucer);
    }
    case 'bonus':
      return changeBoard(view, effect.seat, { score: board(view, effect.seat).score + effect.points });
    case 'dealt': {
      const filled = changeSource(game, view, effect.source, (tiles) => tiles + effect.tiles);
      return { ...filled, bag: counted(game, view.bag, effect.tiles, -1) };
    }
    case 'refilled':
      return { ...view, bag: counted(game, view.bag, effect.tiles, 1), lid: counted(game, view.lid, effect.tiles, -1) };
    case 'disc-laid':
      return { ...view, discs: replaced(view.discs, effect.source - 1, () => effect.disc) };
    case 'round-begun': {
      const discs = effect.discs_removed ? view.discs.map(() => 'plain') : view.discs;
      return { ...view, round: effect.round, starter: effect.starter, marker: null, discs };
    }
    case 'offer-ended':
      return { ...view, phase: 'tiling', seat: null };
    case 'ended':
      return { ...view, ended_by: effect.by };
  }
}

const tilesOf = ({ colour, number }: { colour: string; number: number }) => colour.repeat(number);
const board = (view: AzulView, seat: number): Board => view.boards[seat]!;

function replaced(all: string[], at: number, how: (one: string) => string): string[] {
  return all.map((one, place) => (place === at ? how(one) : one));
}

function changeBoard(view: AzulView, seat: number, change: Partial<Board>): AzulView {
  return { ...view, boards: view.boards.map((one, at) => (at === seat ? { ...one, ...change } : one)) };
}

function added(view: AzulView, seat: number, to: 'floor' | 'saucer', things: string): Partial<Board> {
  return { [to]: (board(view, seat)[to] ?? '') + things };
}

function changeSource(game: GameName, view: AzulView, source: number, how: (tiles: string) => string): AzulView {
  const changed = (tiles: string) => inOrder(game, how(tiles));
  if (source === 0) return { ...view, centre: changed(view.centre) };
  return { ...view, factories: replaced(view.factories, source - 1, changed) };
}

function moveTiles(game: GameName, view: AzulView, source: number, to: number, moved: string): AzulView {
  const left = changeSource(game, view, source, (tiles) =>
    [...moved].reduce((rest, tile) => rest.replace(tile, ''), tiles),
  );
  return changeSource(game, left, to, (tiles) => tiles + moved);
}

function counted(game: GameName, pile: number[], tiles: string, sign: 1 | -1): number[] {
  return pile.map((n, at) => n + sign * count(tiles, lettersOf(game)[at]!));
}

function toLid(game: GameName, view: AzulView, tiles: string): AzulView {
  return { ...view, lid: counted(game, view.lid, tiles, 1) };
}
