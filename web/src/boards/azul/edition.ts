// Both editions have the same rules; names, colours and ornaments differ.
import type { GameName } from '../../lib/types';
import type { Edition } from '../../ui/pieces/art';

export const editionOf = (game: GameName): Edition => (game === 'chocolatier' ? 'chocolate' : 'ceramic');
