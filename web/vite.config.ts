import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { thirdPartyLicences } from './licences-plugin.ts';
import { serviceWorkerFiles } from './service-worker-plugin.ts';

// The bundle is written into the Python package, which serves it. TILERY_PAGE is the hash of these sources: by
// comparing it, the web client knows whether the server has a newer version.
export default defineConfig({
  plugins: [svelte(), serviceWorkerFiles(), thirdPartyLicences()],
  define: { __PAGE__: JSON.stringify(process.env.TILERY_PAGE ?? 'dev') },
  build: {
    outDir: process.env.TILERY_PAGE_FOLDER ?? '../src/tilery/server/static',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
  server: { proxy: { '/api': { target: process.env.TILERY_SERVER ?? 'http://127.0.0.1:8000', ws: true } } },
  test: { environment: 'node', include: ['tests/**/*.test.ts'] },
});
