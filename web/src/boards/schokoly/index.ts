// Schokoly for the registry: variants and an example.
import { t } from '../../lib/i18n.svelte';
import type { GameModule } from '../registry';

export interface SchokolyOptions {
  set: 'classic' | 'large';
  swap: boolean; // with three players only
}
const WORDS: Record<string, string> = { large: 'page.set.large', swap: 'page.swap' };

export const schokoly: GameModule<SchokolyOptions> = {
  name: 'schokoly',
  family: 'schokoly',
  record: () => import('./examples/schokoly.tilery?raw'),
  settings: ['overlay'],
  options: { set: 'classic', swap: false },
  variant: ({ set, swap }, seats) => [...(set === 'large' ? ['large'] : []), ...(swap && seats === 3 ? ['swap'] : [])],
  optionWords: (name) => (WORDS[name] ? t(WORDS[name]) : ''),
  firstSeatStarts: () => true,
  hasTeams: (seats) => seats === 4,
};
