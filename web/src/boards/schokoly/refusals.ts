// The arguments of refusals of Schokoly in words. Cards stay as they are written.
import type { RefusalWords } from '../../lib/refusals';
import { t } from '../../lib/i18n.svelte';

export const refusalWords: RefusalWords = {
  kind: (letter) => t(`schokoly.kind.${letter}`),
  card: (card) => (card.startsWith('?') ? t('schokoly.hidden') : card),
};
