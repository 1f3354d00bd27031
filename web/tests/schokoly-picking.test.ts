import { beforeEach, describe, expect, it } from 'vitest';
import { readMoves } from '../src/boards/schokoly/moves';
import { Picking, type Told } from '../src/boards/schokoly/picking.svelte';
import type { SchokolyView } from '../src/lib/types';
import turns from './fixtures/schokoly-turns.json';

const { moves } = turns.place;
const view = turns.place.view as unknown as SchokolyView;
const hand = view.hands[0]!;

describe('a move that is put together', () => {
  let heard: string[];
  let told: Told;
  let picking: Picking;
  beforeEach(() => {
    heard = [];
    told = {
      moves,
      view,
      hand,
      chosen: null,
      choose: (move) => {
        heard.push(`choose ${move}`);
        told.chosen = move;
      },
      look: (move) => heard.push(`look ${move}`),
    };
    picking = new Picking(() => told);
  });

  it('is laid as it is turned', () => {
    picking.select(0);
    const spot = picking.spots.find((one) => one.moves[0])!;
    expect(picking.lay(spot)).toBe(true);
    expect(heard).toEqual([`choose ${spot.moves[0]}`]);
  });

  it('is turned where it fits only otherwise', () => {
    picking.select(0);
    const spot = picking.spots.find((one) => !one.moves[0])!;
    const turn = spot.moves.findIndex(Boolean);
    expect(picking.lay(spot)).toBe(true);
    expect(picking.turn).toBe(turn);
    expect(heard).toEqual([`choose ${spot.moves[turn]}`]);
  });

  it('goes on to the next rotation that fits, when it lies already', () => {
    const [card, spots] = Object.entries(readMoves(moves).spots).find(([, all]) =>
      all.some((spot) => spot.moves.filter(Boolean).length === 2),
    )!;
    const spot = spots.find((one) => one.moves.filter(Boolean).length === 2)!;
    picking.select(hand.indexOf(card));
    picking.lay(spot);
    const first = told.chosen;
    picking.rotate();
    expect(told.chosen).not.toBe(first);
    expect(spot.moves).toContain(told.chosen);
    picking.rotate(-1);
    expect(told.chosen).toBe(first);
  });

  it('tells of a place where nothing fits, on the level that was meant', () => {
    picking.select(0);
    expect(picking.lay({ x: 40, y: 40 })).toBe(false);
    expect(picking.lay({ x: 0, y: 0 })).toBe(false);
    expect(heard).toEqual([`look ${hand[0]}@40,40`, `look ${hand[0]}@0,0^`]);
  });

  it('follows a choice of somebody else', () => {
    const move = moves.find((one) => one.startsWith(hand[1]!.slice(3) + hand[1]!.slice(0, 3)))!;
    told.chosen = move;
    picking.follow();
    expect([picking.index, picking.turn]).toEqual([1, 1]);
  });

  it('is given up with its card', () => {
    picking.select(0);
    picking.lay(picking.spots[0]!);
    picking.leave();
    expect(told.chosen).toBeNull();
    expect(picking.card).toBeNull();
  });
});
