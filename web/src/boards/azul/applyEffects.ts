// A view after the effects of a move, applied one by one. No rule is known here: the effects say all that happens.
import type { AzulEffect } from './effects';
import type { AzulBoard, AzulView } from './view';
import { LETTERS, count } from './moves';

export function applyEffect(view: AzulView, effect: AzulEffect): AzulView {
  switch (effect.type) {
    case 'taken':
      return changeSource(view, effect.source, (tiles) => tiles.replaceAll(effect.colour, ''));
    case 'rest-moved':
      return moveTiles(view, effect.source, effect.to, effect.tiles);
    case 'attracted':
      return moveTiles(view, effect.source, effect.to, effect.colour);
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
      return toLid(changeBoard(view, seat, { ...caught, ...fallen, ...emptied }), colour.repeat(effect.lid));
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
      return toLid(changed, rest);
    }
    case 'floor-scored': {
      const { score, saucer } = board(view, effect.seat);
      const changed = { score: score + effect.points, floor: '', saucer: saucer === null ? null : '' };
      return toLid(changeBoard(view, effect.seat, changed), effect.floor + effect.saucer);
    }
    case 'bonus':
      return changeBoard(view, effect.seat, { score: board(view, effect.seat).score + effect.points });
    case 'dealt': {
      const filled = changeSource(view, effect.source, (tiles) => tiles + effect.tiles);
      return { ...filled, bag: counted(view.bag, effect.tiles, -1) };
    }
    case 'refilled':
      return { ...view, bag: counted(view.bag, effect.tiles, 1), lid: counted(view.lid, effect.tiles, -1) };
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
const board = (view: AzulView, seat: number): AzulBoard => view.boards[seat]!;

function replaced(all: string[], at: number, how: (one: string) => string): string[] {
  return all.map((one, place) => (place === at ? how(one) : one));
}

function changeBoard(view: AzulView, seat: number, change: Partial<AzulBoard>): AzulView {
  return { ...view, boards: view.boards.map((one, at) => (at === seat ? { ...one, ...change } : one)) };
}

function added(view: AzulView, seat: number, to: 'floor' | 'saucer', things: string): Partial<AzulBoard> {
  return { [to]: (board(view, seat)[to] ?? '') + things };
}

function changeSource(view: AzulView, source: number, how: (tiles: string) => string): AzulView {
  const order = LETTERS.join('');
  const inOrder = (tiles: string) => [...how(tiles)].sort((a, b) => order.indexOf(a) - order.indexOf(b)).join('');
  if (source === 0) return { ...view, centre: inOrder(view.centre) };
  return { ...view, factories: replaced(view.factories, source - 1, inOrder) };
}

function moveTiles(view: AzulView, source: number, to: number, moved: string): AzulView {
  const left = changeSource(view, source, (tiles) => [...moved].reduce((rest, tile) => rest.replace(tile, ''), tiles));
  return changeSource(left, to, (tiles) => tiles + moved);
}

function counted(pile: number[], tiles: string, sign: 1 | -1): number[] {
  return pile.map((n, at) => n + sign * count(tiles, LETTERS[at]!));
}

function toLid(view: AzulView, tiles: string): AzulView {
  return { ...view, lid: counted(view.lid, tiles, 1) };
}
