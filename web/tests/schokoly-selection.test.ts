import { beforeEach, describe, expect, it } from 'vitest';
import { CardSelection, type SelectionProps } from '../src/boards/schokoly/selection.svelte';
import { choicesIn, layOf } from '../src/boards/schokoly/moves';
import { schokolyTurn } from './fixtures';

const { moves, seat, view } = schokolyTurn('2', 'place');
const hand = view.hands[seat]!;
const place = view.table[0]!;

describe('a selected card', () => {
  let calls: string[];
  let props: SelectionProps;
  let selection: CardSelection;
  beforeEach(() => {
    calls = [];
    props = {
      moves,
      view,
      hand,
      chosen: null,
      choose: (move) => {
        calls.push(`choose ${move}`);
        props.chosen = move;
      },
      look: (move) => calls.push(`look ${move}`),
    };
    selection = new CardSelection(() => props);
  });

  it('is laid in its rotation', () => {
    selection.select(0);
    const spot = selection.spots.find((one) => one.moves[0])!;
    expect(selection.lay(spot)).toBe(true);
    expect(calls).toEqual([`choose ${spot.moves[0]}`]);
  });

  it('is turned if it fits only in another rotation', () => {
    selection.select(0);
    const spot = selection.spots.find((one) => !one.moves[0])!;
    const turn = spot.moves.findIndex(Boolean);
    expect(selection.lay(spot)).toBe(true);
    expect(selection.turn).toBe(turn);
    expect(calls).toEqual([`choose ${spot.moves[turn]}`]);
  });

  it('goes on to the next rotation that fits, if it is already laid', () => {
    const [card, spots] = Object.entries(choicesIn(moves).spots).find(([, all]) =>
      all.some((spot) => spot.moves.filter(Boolean).length === 2),
    )!;
    const spot = spots.find((one) => one.moves.filter(Boolean).length === 2)!;
    selection.select(hand.indexOf(card));
    selection.lay(spot);
    const first = props.chosen;
    selection.rotate();
    expect(props.chosen).not.toBe(first);
    expect(spot.moves).toContain(props.chosen);
    selection.rotate(-1);
    expect(props.chosen).toBe(first);
  });

  it('is shown where it does not fit, on the level that was meant', () => {
    selection.select(0);
    expect(selection.lay({ x: 40, y: 40 })).toBe(false);
    expect(selection.lay(place)).toBe(false);
    expect(calls).toEqual([`look ${hand[0]}@40,40`, `look ${hand[0]}@${place.x},${place.y}^`]);
  });

  it('follows a choice made elsewhere', () => {
    const lays = moves.flatMap((move) => layOf(move) ?? []);
    const lay = lays.find(({ card, turns }) => card !== hand[0] && turns === 1)!;
    props.chosen = lay.text;
    selection.follow();
    expect([selection.card, selection.turn]).toEqual([lay.card, 1]);
  });

  it('is no longer chosen once it is unselected', () => {
    selection.select(0);
    selection.lay(selection.spots[0]!);
    selection.leave();
    expect(props.chosen).toBeNull();
    expect(selection.card).toBeNull();
  });
});
