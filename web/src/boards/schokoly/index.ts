// Schokoly for the registry: variants and an example.
import { t } from '../../lib/i18n.svelte';
import type { GameModule } from '../registry';

export interface SchokolyOptions {
  set: 'classic' | 'large';
  swap: boolean; // with three players only
  start: 'first' | 'drawn';
}
const WORDS: Record<string, string> = { large: 'page.set.large', swap: 'page.swap' };

export const schokoly: GameModule<SchokolyOptions> = {
  name: 'schokoly',
  family: 'schokoly',
  record: () => import('./examples/schokoly.tilery?raw'),
  settings: ['overlay'],
  options: { set: 'classic', swap: false, start: 'first' },
  variant: ({ set, swap, start }, seats) => [
    ...(set === 'large' ? ['large'] : []),
    ...(swap && seats === 3 ? ['swap'] : []),
    ...(start === 'drawn' ? ['start=drawn'] : []),
  ],
  optionWords: (name) => (WORDS[name] ? t(WORDS[name]) : ''),
  firstSeatStarts: ({ start }) => start === 'first',
  hasTeams: (seats) => seats === 4,
};
