import { beforeAll, describe, expect, it, vi } from 'vitest';
import { explain, describeMove, refusalText } from '../src/boards/schokoly/describe';
import { settings } from '../src/lib/settings.svelte';
import type { Preview } from '../src/lib/types';
import type { SchokolyView } from '../src/boards/schokoly/view';
import { loadTranslations } from '../src/lib/i18n.svelte';
import refusals from './fixtures/schokoly-refusals.json';
import turns from './fixtures/schokoly-turns.json';

async function switchTo(language: string): Promise<void> {
  vi.stubGlobal('navigator', { languages: [] });
  vi.stubGlobal('document', { documentElement: {} });
  settings.language = language;
  await loadTranslations();
}

const lines = (turn: { view: unknown }, preview: unknown) =>
  explain(preview as Preview, turn.view as SchokolyView).map((fact) => `${fact.tone} ${fact.text}`);

describe.each(['en', 'ru', 'uk', 'ro'])('in %s', (language) => {
  beforeAll(() => switchTo(language));

  it.each(['milk', 'WDDM@3,-2', 'WDDM@3,-2^', 'token@0,0', 'no-token', 'pass'])('a move is a sentence: %s', (move) =>
    expect(describeMove(move, 'Ann')).toMatch(/^Ann .+\.$/),
  );
  it.each(['offer:DDDM>2', 'offer:?1>2', 'answer:MMWD', 'answer:?2', 'accept', 'accept:DDDM', 'decline'])(
    'a step of a swap is a sentence: %s',
    (move) => expect(describeMove(move, 'Ann')).toMatch(/^Ann .+\.$/),
  );
  it.each(['+DDMW', '+?'])('a step of chance is a sentence: %s', (move) =>
    expect(describeMove(move, '')).toMatch(/\.$/),
  );

  it('has a text for every refusal', () => {
    for (const error of refusals) {
      expect(refusalText(error)).not.toBe(error.text);
      expect(refusalText(error)).not.toContain('schokoly.');
    }
  });

  it('explains every move of real games with complete texts', () => {
    for (const turn of Object.values(turns))
      for (const preview of turn.previews)
        for (const line of lines(turn, preview)) {
          expect(line).not.toContain('schokoly.');
          expect(line).not.toMatch(/[{}]|undefined|NaN/);
        }
  });
});

describe('the explanation of a move', () => {
  beforeAll(() => switchTo('en'));
  const { place } = turns;

  it('begins with the viewer’s own points', () => {
    const laid = place.previews.find((one) => one.legal)!;
    expect(lines(place, laid)[0]).toMatch(/^\w+ You: 6 → \d+$/);
  });
  it('gives the points of the team', () =>
    expect(lines(turns.team, turns.team.previews[0])[0]).toMatch(/^\w+ Your team: 17 → \d+$/));
  it('says what is covered and what it costs', () => {
    const stacked = turns.team.previews.find((one) => one.move.endsWith('^'))!;
    expect(lines(turns.team, stacked)).toContainEqual(expect.stringMatching(/^plain Covers: \d/));
    expect(lines(turns.team, stacked)).toContainEqual('plain Costs a token, left: 0');
  });
  it('gives the reason why it is illegal', () =>
    expect(place.previews.filter((one) => !one.legal).map((one) => lines(place, one))).toEqual([
      ['bad Not all four cells are empty'],
      ['bad At least two edges must touch cards on the table'],
    ]));
  it('gives the number announced in a swap', () => {
    const offer = turns.swap.previews.find((one) => one.move.startsWith('offer'))!;
    expect(lines(turns.swap, offer)).toEqual([expect.stringMatching(/^plain The other player learns: \d \w+$/)]);
  });
});
