// Writes into sw.js which files the shell of the page is made of: the entry, what it imports, and the pages that say
// something useful without a network. Everything else is kept when it is loaded.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin, Rollup } from 'vite';

const LANGUAGE = /\/words\/(\w+)\.ts$/;
const WITHOUT_NETWORK = /\/pages\/(Front|New|Watch|Settings|Missing)\.svelte$/;

// The files of a chunk and of all that it cannot do without.
function files(bundle: Rollup.OutputBundle, name: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[name];
  if (found.has(name) || chunk?.type !== 'chunk') return found;
  found.add(name);
  for (const css of chunk.viteMetadata?.importedCss ?? []) found.add(css);
  for (const other of chunk.imports) files(bundle, other, found);
  return found;
}

export function shell(): Plugin {
  return {
    name: 'tilery-shell',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      const found = new Set<string>();
      for (const [name, chunk] of Object.entries(bundle))
        if (chunk.type === 'chunk' && (chunk.isEntry || WITHOUT_NETWORK.test(chunk.facadeModuleId ?? '')))
          files(bundle, name, found);
      const words: Record<string, string> = {};
      for (const chunk of Object.values(bundle)) {
        const language = chunk.type === 'chunk' && LANGUAGE.exec(chunk.facadeModuleId ?? '')?.[1];
        if (language) words[language] = `/${chunk.fileName}`;
      }
      const build = createHash('sha256').update(Object.keys(bundle).sort().join()).digest('hex').slice(0, 12);
      const place = join(dir ?? '', 'sw.js');
      const text = (await readFile(place, 'utf-8'))
        .replace("const BUILD = 'dev';", `const BUILD = '${build}';`)
        .replace('const WORDS = {};', `const WORDS = ${JSON.stringify(words)};`)
        .replace('const SHELL = [];', `const SHELL = ${JSON.stringify([...found].sort().map((name) => `/${name}`))};`);
      await writeFile(place, text);
    },
  };
}
