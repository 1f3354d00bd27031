// Writes the files of the app shell into sw.js: the entry point, what it imports, and the pages that are useful
// offline. Everything else is cached when it is loaded.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin, Rollup } from 'vite';

const LANGUAGE = /\/translations\/(\w+)\.ts$/;
const OFFLINE_PAGES = /\/pages\/(Front|New|Watch|Settings|Missing)\.svelte$/;

// The files of a chunk and of everything it imports statically.
function files(bundle: Rollup.OutputBundle, name: string, result = new Set<string>()): Set<string> {
  const chunk = bundle[name];
  if (result.has(name) || chunk?.type !== 'chunk') return result;
  result.add(name);
  for (const css of chunk.viteMetadata?.importedCss ?? []) result.add(css);
  for (const other of chunk.imports) files(bundle, other, result);
  return result;
}

export function serviceWorkerFiles(): Plugin {
  return {
    name: 'tilery-service-worker',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      const shell = new Set<string>();
      for (const [name, chunk] of Object.entries(bundle))
        if (chunk.type === 'chunk' && (chunk.isEntry || OFFLINE_PAGES.test(chunk.facadeModuleId ?? '')))
          files(bundle, name, shell);
      const translations: Record<string, string> = {};
      for (const chunk of Object.values(bundle)) {
        const language = chunk.type === 'chunk' && LANGUAGE.exec(chunk.facadeModuleId ?? '')?.[1];
        if (language) translations[language] = `/${chunk.fileName}`;
      }
      const build = createHash('sha256').update(Object.keys(bundle).sort().join()).digest('hex').slice(0, 12);
      const place = join(dir ?? '', 'sw.js');
      const text = (await readFile(place, 'utf-8'))
        .replace("const BUILD = 'dev';", `const BUILD = '${build}';`)
        .replace('const TRANSLATIONS = {};', `const TRANSLATIONS = ${JSON.stringify(translations)};`)
        .replace('const SHELL = [];', `const SHELL = ${JSON.stringify([...shell].sort().map((name) => `/${name}`))};`);
      await writeFile(place, text);
    },
  };
}
