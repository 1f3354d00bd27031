// The arguments of refusals of both Azul editions in words.
import type { RefusalWords } from '../../lib/refusals';
import type { GameName } from '../../lib/types';
import { t } from '../../lib/i18n.svelte';
import { colourName, discName } from './edition';

export function refusalWords(game: GameName): RefusalWords {
  const colour = (letter: string) => t(`azul.colour.${colourName(game, letter)}`);
  return {
    colour,
    held: colour,
    rest: (letters) => [...letters].map(colour).join(', ') || '–',
    from: (source) => (source === '0' ? t('azul.centre') : t(`azul.factory.${game}`, { n: source })),
    disc: (kind) => t(`azul.disc.${discName(game, kind)}`),
  };
}
