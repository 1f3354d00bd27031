// Writes third-party-licences.txt: the name, version and licence text of every npm package that ends up in the bundle.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const FILE = 'third-party-licences.txt';
const PACKAGE = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/?]+)\//;
const RULE = '-'.repeat(80);

async function licenceOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf-8'));
  const file = (await readdir(folder)).find((one) => /^licen[cs]e(\.\w+)?$/i.test(one));
  if (!file) throw new Error(`${name} is in the bundle but has no licence file`);
  return `${name} ${version} (${license})\n\n${(await readFile(join(folder, file), 'utf-8')).trim()}\n`;
}

export function thirdPartyLicences(): Plugin {
  return {
    name: 'tilery-licences',
    apply: 'build',
    async generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
      const folders = new Set(modules.flatMap((id) => PACKAGE.exec(id)?.[1] ?? []));
      const texts = await Promise.all([...folders].sort().map(licenceOf));
      const intro = 'Tilery\u2019s web client contains code of these packages.\n';
      this.emitFile({ type: 'asset', fileName: FILE, source: [intro, ...texts].join(`\n${RULE}\n\n`) });
    },
  };
}
