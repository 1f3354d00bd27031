import { describe, expect, it } from 'vitest';
import { cardOf, countPieces, layText, parseMove, choicesIn, rotatePieces } from '../src/boards/schokoly/moves';
import turns from './fixtures/schokoly-turns.json';

describe('a move of Schokoly', () => {
  it.each([
    ['dark', { what: 'kind', kind: 'D' }],
    ['WDDM@3,-2', { what: 'lay', pieces: 'WDDM', x: 3, y: -2, level: 1 }],
    ['WDDM@-13,20^', { what: 'lay', pieces: 'WDDM', x: -13, y: 20, level: 2 }],
    ['token@0,-4', { what: 'token', x: 0, y: -4 }],
    ['no-token', { what: 'no-token' }],
    ['pass', { what: 'pass' }],
    ['offer:DDDM>2', { what: 'offer', card: 'DDDM', number: null, seat: 1 }],
    ['offer:?2>3', { what: 'offer', card: null, number: 2, seat: 2 }],
    ['answer:MMWD', { what: 'answer', card: 'MMWD', number: null }],
    ['answer:?0', { what: 'answer', card: null, number: 0 }],
    ['accept', { what: 'accept', card: null }],
    ['accept:DDDM', { what: 'accept', card: 'DDDM' }],
    ['decline', { what: 'decline' }],
    ['+DDMW', { what: 'deal', card: 'DDMW' }],
    ['+?', { what: 'deal', card: null }],
    ['3R2', { what: 'other' }],
  ])('is parsed: %s', (text, move) => expect(parseMove(text)).toEqual(move));

  it('is written', () => {
    expect(layText('WDDM', 3, -2, 1)).toBe('WDDM@3,-2');
    expect(layText('WDDM', 3, -2, 2)).toBe('WDDM@3,-2^');
  });
});

describe('a card', () => {
  it('is turned clockwise, as the notation defines it', () =>
    expect([0, 1, 2, 3, 4].map((by) => rotatePieces('DDMW', by))).toEqual(['DDMW', 'WDDM', 'MWDD', 'DMWD', 'DDMW']));
  it('is turned back', () => expect(rotatePieces('WDDM', -1)).toBe('DDMW'));
  it('is recognised in any rotation', () => {
    expect(cardOf('MWDD')).toEqual({ card: 'DDMW', turn: 2 });
    expect(cardOf('DDDM')).toEqual({ card: 'DDDM', turn: 0 });
  });
  it('has pieces of a kind', () => expect([countPieces('DDMW', 'D'), countPieces('DDMW', null)]).toEqual([2, 0]));
});

describe('the legal moves', () => {
  it.each(Object.entries(turns))('of a real game can all be composed: %s', (_name, turn) => {
    const choices = choicesIn(turn.moves);
    const again = [
      ...choices.kinds.map((kind) => ({ D: 'dark', M: 'milk', W: 'white' })[kind]),
      ...Object.values(choices.spots).flatMap((spots) => spots.flatMap((spot) => spot.moves.filter(Boolean))),
      ...choices.tokens.map((one) => one.move),
      ...choices.offers.map((one) => one.move),
      ...choices.answers.map((one) => one.move),
      ...choices.plain,
    ];
    expect(again.toSorted()).toEqual(turn.moves.toSorted());
  });

  it('are listed by card, place and rotation', () => {
    const { moves, view } = turns.place;
    for (const [card, spots] of Object.entries(choicesIn(moves).spots)) {
      expect(view.hands[0]).toContain(card);
      for (const spot of spots)
        spot.moves.forEach((move, turn) =>
          expect(move).toBe(layText(rotatePieces(card, turn), spot.x, spot.y, spot.level)),
        );
    }
  });
});
