import { resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { thirdPartyLicences } from '../docstead/graphiql/licences.ts';
import { onlyOurLanguages } from './locales.ts';
import { operationsInPlace } from './operations.ts';
import { digestOfSources } from './sources.ts';

const root = import.meta.dirname;

/**
 * Digests of the `<style>` elements that React Aria inserts, for the Content-Security-Policy: of
 * `usePress` in 1.22.1. A browser test fails when another version writes another text.
 */
const STYLE_DIGESTS = ['sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='];

function styleDigests(): Plugin {
  return {
    name: 'style-digests',
    generateBundle() {
      const source = `${JSON.stringify(STYLE_DIGESTS)}\n`;
      this.emitFile({ type: 'asset', fileName: 'style-digests.json', source });
    },
  };
}

export default defineConfig({
  root,
  // Chunks and styles address each other relative to themselves: also below a prefix of a proxy.
  base: './',
  logLevel: 'warn',
  plugins: [operationsInPlace(root), onlyOurLanguages(root), thirdPartyLicences(), digestOfSources(root), styleDigests()],
  css: { modules: { generateScopedName: '[local]_[hash:base64:5]' } },
  build: {
    outDir: resolve(root, '../docstead/static/workbench'),
    emptyOutDir: true,
    manifest: 'manifest.json',
    sourcemap: false,
    modulePreload: { polyfill: false },
    // What docs/workbench.md says; `lib` in tsconfig.json has no more than all of them know.
    target: ['es2022', 'chrome111', 'edge111', 'firefox115', 'safari16.4'],
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      checks: { moduleLevelDirective: false },
      input: resolve(root, 'src/main.tsx'),
    },
  },
});
