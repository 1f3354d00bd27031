import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

export default ts.config(
  { ignores: ['node_modules/', 'try/'] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  prettier,
  ...svelte.configs.prettier,
  { languageOptions: { globals: { ...globals.browser } } },
  { files: ['*.ts', '*.js', 'tests/**'], languageOptions: { globals: { ...globals.node } } },
  { files: ['public/sw.js'], languageOptions: { globals: { ...globals.serviceworker } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig } },
  },
  {
    rules: {
      // A leading underscore marks a parameter that the signature requires but the code does not use.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Most lists are drawn by position: the cells of a wall, the pieces of a card, the words of a sentence. They are
      // never reordered, so a key would only repeat the index. Lists that are reordered have one.
      'svelte/require-each-key': 'off',
      // Maps and Sets are either replaced as a whole ($derived, $state.raw) or hold bookkeeping that nothing renders.
      'svelte/prefer-svelte-reactivity': 'off',
      // {' '} keeps a space that the formatter would otherwise be free to remove.
      'svelte/no-useless-mustaches': 'off',
      // The plugin does not see the accessibility warnings that svelte-check reports, so it would report every comment
      // that silences one as unused.
      'svelte/no-unused-svelte-ignore': 'off',
    },
  },
);
