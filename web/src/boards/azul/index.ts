// Both Azul editions for the registry: variants and examples.
import { t } from '../../lib/i18n.svelte';
import type { GameName } from '../../lib/types';
import type { GameModule } from '../registry';
import { editionOf } from './edition';

export interface AzulOptions {
  wall: 'coloured' | 'grey';
  specials: 'none' | 'round' | 'game';
  start: 'first' | 'drawn';
  rounds: number | null; // null: no limit
  stall: number | null; // null: the server's default
}
const DEFAULTS: AzulOptions = { wall: 'coloured', specials: 'none', start: 'first', rounds: null, stall: null };

// In the order of the notation.
function variant({ wall, specials, start, rounds, stall }: AzulOptions): string[] {
  const options: string[] = [];
  if (wall === 'grey') options.push('grey');
  if (specials !== 'none') options.push(specials === 'game' ? 'specials=game' : 'specials');
  if (start === 'drawn') options.push('start=drawn');
  if (rounds) options.push(`rounds=${rounds}`);
  if (stall) options.push(`stall=${stall}`);
  return options;
}

function optionWords(game: GameName, name: string, value: string): string {
  const isSweet = editionOf(game) === 'chocolate';
  if (name === 'grey') return t(isSweet ? 'page.wall.grey-box' : 'page.wall.grey');
  if (name === 'specials') return t(isSweet ? 'page.special-plates' : 'page.special-factories');
  return name === 'rounds' ? t('page.rounds', { n: Number(value) }) : '';
}

const edition = (name: GameName) => ({
  name,
  family: 'azul',
  settings: ['counts' as const],
  options: { ...DEFAULTS },
  variant,
  optionWords: (option: string, value: string) => optionWords(name, option, value),
  firstSeatStarts: ({ start }: AzulOptions) => start === 'first',
  hasTeams: () => false,
});

export const azul: GameModule<AzulOptions> = {
  ...edition('azul'),
  record: () => import('./examples/azul.tilery?raw'),
  position: () => import('./examples/position.txt?raw'),
};
export const chocolatier: GameModule<AzulOptions> = {
  ...edition('chocolatier'),
  version: 2,
  terms: 'chocolatier',
  record: () => import('./examples/chocolatier.tilery?raw'),
};
