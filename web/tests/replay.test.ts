import { describe, expect, it } from 'vitest';
import azulExample from '../src/boards/azul/examples/azul.tilery?raw';
import examplePosition from '../src/boards/azul/examples/position.txt?raw';
import { locateTextError, classifyInput } from '../src/replay/input';
import { plyIn, positionHash, positionIn } from '../src/lib/links';
import {
  nextStop,
  previousStop,
  clamp,
  moveListEntries,
  perspective,
  lastMove,
  stopOf,
  stopPlies,
} from '../src/replay/steps';
import type { Ply, View } from '../src/lib/types';

const history: Ply[] = [
  [-1, '+BBYR'],
  [-1, '+KKWW'],
  [0, '1B1'],
  [1, '2K2'],
  [-1, '+BRRR'],
  [0, '1R1'],
];

describe('stepping through a game', () => {
  it('stops after every ply, or joins deals with the move before them', () => {
    expect(stopPlies(history, true)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(stopPlies(history, false)).toEqual([2, 3, 5, 6]);
  });
  it('goes forward and back, and stays at the ends', () => {
    const stops = stopPlies(history, false);
    expect([nextStop(stops, 0), nextStop(stops, 3), nextStop(stops, 6)]).toEqual([2, 5, 6]);
    expect([previousStop(stops, 6), previousStop(stops, 4), previousStop(stops, 2)]).toEqual([5, 3, 2]);
  });
  it('shows a ply between two stops at the next one', () => {
    expect(stopOf(stopPlies(history, false), 4)).toBe(5);
    expect(stopOf([0], 9)).toBe(0);
  });
  it('keeps a ply within the game', () =>
    expect([clamp(-3, 6), clamp(9, 6), clamp(NaN, 6), clamp(2.7, 6)]).toEqual([0, 6, 0, 2]));
  it('remembers the last move of a player while chance deals', () => {
    expect(lastMove(history, 5)).toEqual({ seat: 1, move: '2K2' });
    expect(lastMove(history, 2)).toBeNull();
  });
  it('lists moves with or without deals', () => {
    expect(moveListEntries(history, false).map((entry) => entry.ply)).toEqual([3, 4, 6]);
    expect(moveListEntries(history, true)).toHaveLength(6);
  });
  it('can be shown from the perspective of every seat, unless it is what one seat saw', () => {
    expect(perspective('azul', {} as View, 3)).toEqual({ open: true, seat: 0 });
    expect(perspective('schokoly', { viewer: null } as unknown as View, 2)).toEqual({ open: true, seat: 0 });
    expect(perspective('schokoly', { viewer: 1 } as unknown as View, 2)).toEqual({ open: false, seat: 1 });
    expect(perspective('schokoly', { viewer: -3 } as unknown as View, 2)).toEqual({ open: false, seat: null });
  });
});

describe('a pasted text', () => {
  it('is a record, a position, a table, nothing or unknown', () => {
    expect(classifyInput('  ').kind).toBe('nothing');
    expect(classifyInput('hello').kind).toBe('unknown');
    expect(classifyInput(azulExample).kind).toBe('record');
    expect(classifyInput(examplePosition)).toEqual({ kind: 'position', text: examplePosition });
    expect(classifyInput('k7vq2m9xwp3d')).toEqual({ kind: 'table', text: 'k7vq2m9xwp3d', ply: 0 });
    const link = 'https://example.org/t/k7vq2m9xwp3d#ply=17';
    expect(classifyInput(link)).toEqual({ kind: 'table', text: 'k7vq2m9xwp3d', ply: 17 });
  });
  it('may be a link to a position', () => {
    const link = `http://localhost/study${positionHash(examplePosition)}`;
    expect(classifyInput(link)).toEqual({ kind: 'position', text: examplePosition });
  });
  it('a position can be part of an address', () =>
    expect(positionIn(positionHash(examplePosition))).toBe(examplePosition));
  it('an address without a position or ply has none', () => {
    expect(positionIn('#ply=3')).toBe('');
    expect(positionIn('#position=%E0%A4%A')).toBe('');
    expect([plyIn('#ply=3'), plyIn(''), plyIn('#ply=x')]).toEqual([3, null, null]);
  });
  it('shows the place of the error that the server reports', () => {
    const text = '[Tilery "1"]\n\n1. +KKWW\n5B1 3Y1 1K1';
    const textError = locateTextError("line 4, column 9: '1K1': line 1 is full (AZ-15)", text);
    expect(textError).toMatchObject({ line: 4, column: 9, before: '5B1 3Y1 ', behind: '1K1' });
    expect(text.slice(textError!.start)).toBe('1K1');
    expect(locateTextError('there is no such table', text)).toBeNull();
  });
});
