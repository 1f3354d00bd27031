import type { Translations } from './types';

const files = import.meta.glob<Translations>(['./uk/*.json', '!./uk/refusals.json'], {
  eager: true,
  import: 'default',
});

export default Object.assign({}, ...Object.values(files)) as Translations;
