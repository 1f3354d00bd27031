import type { Translations } from './types';

const files = import.meta.glob<Translations>(['./en/*.json', '!./en/refusals.json'], {
  eager: true,
  import: 'default',
});

export default Object.assign({}, ...Object.values(files)) as Translations;
