import { describe, expect, it } from 'vitest';
import { forEdition, type Forms, parseSpans, plainText, unknownForms } from '../src/learn/markup';
import { DRAWINGS } from '../src/boards/drawings';
import { GAMES as MODULES, partOf } from '../src/boards/registry';
import { parseReference, rulesOf, type Part, type Reference } from '../src/learn/reference';
import type { StepTexts } from '../src/learn/content';
import { isWanted, tourOf, valuesOf, type Wanted } from '../src/learn/tours';
import { playOf } from '../src/boards/play';
import { textOf, withParts } from '../src/lib/moves';
import { schokolyTurn } from './fixtures';

const LANGUAGES = ['en', 'ru', 'uk', 'ro'] as const;
const GAMES = MODULES.map((game) => game.name);
const FAMILIES = [...new Set(MODULES.map((game) => game.family))];
const files: Record<string, string> = {
  ...import.meta.glob<string>('../src/learn/*/*/*.{md,json}', { query: '?raw', import: 'default', eager: true }),
  ...import.meta.glob<string>('../src/learn/*.svelte', { query: '?raw', import: 'default', eager: true }),
  ...import.meta.glob<string>('../../docs/rules/*.md', { query: '?raw', import: 'default', eager: true }),
};
const text = (path: string) => files[`../${path}`]!;
const json = <T>(language: string, name: string) =>
  JSON.parse(text(`src/learn/translations/${language}/${name}.json`)) as T;
const referenceOf = (language: string, family: string) =>
  parseReference(text(`src/learn/rules/${language}/${family}.md`));
const holes = (words: string) => [...words.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

describe('the words of both editions', () => {
  const forms = { tile: 'chocolate', wall: 'box' };
  it('are those of Azul in Azul', () =>
    expect(forEdition('A [tile] [on the wall|in the box].', null)).toBe('A tile on the wall.'));
  it('differ in Master Chocolatier, with the same capitalisation', () =>
    expect(forEdition('[Tile] [on the wall|in the box]', forms)).toBe('Chocolate in the box'));

  it.each(LANGUAGES)('all have a form in %s', (language) => {
    const known = json<Forms>(language, 'chocolatier');
    const all = text(`src/learn/rules/${language}/azul.md`) + text(`src/learn/translations/${language}/azul.json`);
    expect(unknownForms(all, known)).toEqual([]);
    expect(forEdition(all, known)).not.toMatch(/[[\]]/);
    const used = new Set([...all.matchAll(/\[([^\]|]+)\]/g)].map((match) => match[1]!.toLowerCase()));
    expect(Object.keys(known).filter((word) => !used.has(word))).toEqual([]);
  });
});

describe('inline markup', () => {
  it('is parsed', () =>
    expect(parseSpans('A **full** line, *Ruling:* see AZ-12.').map(({ kind, text }) => [kind, text])).toEqual([
      ['plain', 'A '],
      ['strong', 'full'],
      ['plain', ' line, '],
      ['stress', 'Ruling:'],
      ['plain', ' see '],
      ['rule', 'AZ-12'],
      ['plain', '.'],
    ]));
  it('is removed for screen readers', () => expect(plainText('**Two** edges')).toBe('Two edges'));
});

describe('a wanted move', () => {
  const { moveParts } = playOf('schokoly');
  const lays = schokolyTurn('2', 'place').moves;
  const wantedOf = (wanted: Wanted) => lays.filter((move) => isWanted([wanted], move, moveParts));

  it('may be any of several', () => {
    const [first, second] = lays.map(textOf);
    expect(lays.filter((move) => isWanted([first!, second!], move, moveParts))).toEqual(lays.slice(0, 2));
  });
  it('may have parts that do not matter', () => {
    const { x, y } = withParts<{ x: number; y: number }>(moveParts, lays[0]!);
    const there = wantedOf({ kind: 'lay', x, y });
    expect(there.length).toBeGreaterThan(1);
    for (const move of there) expect(textOf(move)).toContain(`@${x},${y}`);
    expect(wantedOf({ kind: 'token', x, y })).toEqual([]);
  });
  it('is not on the other level', () => {
    const low = wantedOf({ kind: 'lay', level: 1 });
    expect(low).toEqual(lays.filter((move) => !textOf(move).endsWith('^')));
    expect(wantedOf({ kind: 'lay', level: 2 })).toHaveLength(lays.length - low.length);
  });
});

describe('the tours', () => {
  it.each(GAMES)('of %s have 10 to 16 steps with different ids', (game) => {
    const ids = tourOf(game).map((step) => step.id);
    expect(ids.length).toBeGreaterThanOrEqual(10);
    expect(ids.length).toBeLessThanOrEqual(16);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('use every text of their pages, and no other', () => {
    const pages = Object.keys(files).filter((name) => name.endsWith('.svelte'));
    const source = pages.map((name) => files[name]).join('\n');
    const keys = Object.keys(json<Record<string, string>>('en', 'page'));
    const dynamic = ['you', 'rival', 'third', 'partner', ...GAMES];
    expect(keys.filter((key) => !dynamic.includes(key) && !source.includes(`'${key}'`))).toEqual([]);
    const used = [...source.matchAll(/\btranslate\('([\w-]+)'/g)].map((match) => match[1]!);
    expect(used.filter((key) => !keys.includes(key))).toEqual([]);
  });

  describe.each(LANGUAGES)('in %s', (language) => {
    it('have the same buttons', () => {
      const page = json<Record<string, string>>(language, 'page');
      const english = json<Record<string, string>>('en', 'page');
      expect(Object.keys(page)).toEqual(Object.keys(english));
      for (const key of Object.keys(english)) expect(holes(page[key]!), key).toEqual(holes(english[key]!));
    });
    it.each(FAMILIES)('have texts for every step of %s, and for no other', (family) => {
      const words = json<Record<string, StepTexts>>(language, family);
      const english = json<Record<string, StepTexts>>('en', family);
      const steps = MODULES.filter((game) => game.family === family).flatMap((game) => tourOf(game.name));
      expect(Object.keys(words).sort()).toEqual([...new Set(steps.map((step) => step.id))].sort());
      for (const step of steps) {
        const mine = words[step.id]!;
        const theirs = english[step.id]!;
        expect(Object.keys(mine), step.id).toEqual(Object.keys(theirs));
        expect(Boolean(mine.task && mine.done), step.id).toBe(Boolean(step.do));
        for (const part of Object.keys(theirs) as (keyof StepTexts)[]) {
          expect(new Set(holes(mine[part]!)), `${step.id}.${part}`).toEqual(new Set(holes(theirs[part]!)));
          for (const hole of holes(mine[part]!)) expect(valuesOf(step), step.id).toHaveProperty(hole!);
        }
      }
    });
    it('have the same numbers as in English', () => {
      const digits = (words: string) => words.match(/\d+/g)?.sort() ?? [];
      for (const family of FAMILIES) {
        const words = json<Record<string, StepTexts>>(language, family);
        for (const [id, one] of Object.entries(json<Record<string, StepTexts>>('en', family)))
          for (const part of Object.keys(one) as (keyof StepTexts)[])
            expect(digits(words[id]![part]!), `${id}.${part}`).toEqual(digits(one[part]!));
      }
    });
  });
});

const flat = (all: Reference): Part[] => [all.intro, ...all.sections.map((section) => section.parts)].flat();
const shape = (part: Part) =>
  part.kind === 'text'
    ? [part.rule, part.list.length]
    : part.kind === 'table'
      ? ['table', part.head.length, part.rows.length]
      : ['figure', part.name, part.caption.split(' / ').length];
const content = (part: Part) => {
  if (part.kind === 'text') return [part.text, ...part.list].join(' ');
  return part.kind === 'table' ? part.rows.flat().join(' ') : part.caption;
};

describe('the reference', () => {
  describe.each(FAMILIES)('of %s', (family) => {
    const source = text(`../docs/rules/${family}.md`);
    const ids = [...source.matchAll(/^- \*\*((?:AZ|MC|SC)-\d+)\*\*/gm)].map((match) => match[1]!);
    const english = referenceOf('en', family);

    it.each(LANGUAGES)('has each rule once in %s, and no other', (language) => {
      const rules = rulesOf(referenceOf(language, family));
      expect([...rules].sort()).toEqual([...ids].sort());
    });
    it.each(LANGUAGES)('refers only to existing rules in %s', (language) => {
      const named = text(`src/learn/rules/${language}/${family}.md`).match(/(?:AZ|MC|SC)-\d+/g) ?? [];
      expect(named.filter((id) => !ids.includes(id))).toEqual([]);
    });
    it.each(LANGUAGES)('has the same sections, paragraphs, lists and figures in %s', (language) => {
      const mine = referenceOf(language, family);
      expect(mine.sections.map((section) => section.id)).toEqual(english.sections.map((section) => section.id));
      const sections = (all: Reference) => [all.intro, ...all.sections.map((section) => section.parts)];
      // the number of words that differ between the editions depends on the language
      const tables = (part: Part) => !(part.kind === 'table' && part.head.length === 2);
      sections(mine).forEach((parts, at) =>
        expect(parts.filter(tables).map(shape)).toEqual(sections(english)[at]!.filter(tables).map(shape)),
      );
    });
    it.each(LANGUAGES)('has the same numbers in every paragraph in %s', (language) => {
      const digits = (words: string) =>
        words
          .replace(/(\d)[ ,](\d{3})/g, '$1$2')
          .match(/\d+/g)
          ?.sort() ?? [];
      const mine = flat(referenceOf(language, family));
      flat(english).forEach((part, at) =>
        expect(digits(content(mine[at]!)), content(part)).toEqual(digits(content(part))),
      );
    });
    it('has every figure that it names', () => {
      const named = flat(english).flatMap((part) => (part.kind === 'figure' ? [part.name] : []));
      for (const { name } of MODULES.filter((game) => game.family === family))
        expect(named.filter((figure) => !partOf(DRAWINGS, name)?.figures[figure])).toEqual([]);
    });
  });
});
