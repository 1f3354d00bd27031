import { describe, expect, it } from 'vitest';
import { choicesIn, countPieces, layOf, layText, placedCard, rotatePieces } from '../src/boards/schokoly/moves';
import type { SchokolyView } from '../src/boards/schokoly/wire';
import { textOf } from '../src/lib/moves';
import { TURNS, type Turn } from './fixtures';

const turns = TURNS.filter(({ game }) => game === 'schokoly') as Turn<SchokolyView>[];
const named = turns.map((turn) => [`${turn.view.rules} ${turn.view.phase}`, turn] as const);

describe('a card', () => {
  it('is turned clockwise, as the notation defines it', () =>
    expect([0, 1, 2, 3, 4].map((by) => rotatePieces('DDMW', by))).toEqual(['DDMW', 'WDDM', 'MWDD', 'DMWD', 'DDMW']));
  it('is turned back', () => expect(rotatePieces('WDDM', -1)).toBe('DDMW'));
  it('has pieces of a kind', () => expect([countPieces('DDMW', 'D'), countPieces('DDMW', null)]).toEqual([2, 0]));
  it('that is laid is written like the server writes it', () => {
    const lays = turns.flatMap(({ moves }) => moves.flatMap((move) => layOf(move) ?? []));
    expect(new Set(lays.map(({ level }) => level))).toEqual(new Set([1, 2]));
    for (const lay of lays) expect(layText(placedCard(lay))).toBe(lay.text);
  });
});

describe('the legal moves', () => {
  it.each(named)('of a real game can all be composed: %s', (_, { moves }) => {
    const choices = choicesIn(moves);
    const again = [
      ...choices.kinds.map((one) => one.move),
      ...Object.values(choices.spots).flatMap((spots) => spots.flatMap((spot) => spot.moves.filter(Boolean))),
      ...choices.tokens.map((one) => one.move),
      ...choices.offers.map((one) => one.move),
      ...choices.answers.map((one) => one.move),
      ...choices.plain,
    ];
    expect(again.toSorted()).toEqual(moves.map(textOf).toSorted());
  });

  it('are listed by card, place and rotation', () => {
    for (const { moves, seat, view } of turns)
      for (const [card, spots] of Object.entries(choicesIn(moves).spots)) {
        expect(view.hands[seat]).toContain(card);
        for (const spot of spots)
          spot.moves.forEach((move, turn) => expect(move).toBe(layText({ ...spot, pieces: rotatePieces(card, turn) })));
      }
  });
});
