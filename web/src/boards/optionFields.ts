import type { Component } from 'svelte';
import type { GameName } from '../lib/types';
import { partsByFamily, type Options } from './registry';

type Props = { game: GameName; options: Options; seats: number };

// The part of the form for a new table in which the options of a variant are chosen.
export const OPTION_FIELDS = partsByFamily(
  import.meta.glob<Component<Props, object, 'options'>>('./*/OptionFields.svelte', { eager: true, import: 'default' }),
);
