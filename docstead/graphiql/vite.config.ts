import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { thirdPartyLicences } from './licences.ts';

const root = import.meta.dirname;

/**
 * Where the assets lie, seen from each page. `graphiql.html` is served at `.../graphql` and
 * `schema.html` at `.../graphql/schema`, so no path starts with a slash and the pages also work
 * behind a proxy that puts a prefix in front of them.
 */
const ASSETS_FROM_PAGE: Record<string, string> = {
  'graphiql.html': 'graphql/',
  'schema.html': '',
};

export default defineConfig({
  root,
  base: './',
  logLevel: 'warn',
  plugins: [thirdPartyLicences(resolve(root, 'notices.txt'))],
  experimental: {
    renderBuiltUrl(filename, { hostId, hostType }) {
      if (hostType !== 'html') {
        return { relative: true };
      }
      const prefix = ASSETS_FROM_PAGE[hostId];
      if (prefix === undefined) {
        throw new Error(`no asset prefix is known for the page ${hostId}`);
      }
      return prefix + filename;
    },
  },
  resolve: {
    // Voyager needs two components of this index, which would bring the whole library along.
    alias: [{ find: /^@mui\/material$/, replacement: resolve(root, 'src/voyager-mui.ts') }],
  },
  worker: { format: 'es' },
  build: {
    outDir: resolve(root, '../static/graphiql'),
    emptyOutDir: true,
    sourcemap: false,
    modulePreload: { polyfill: false },
    target: 'es2022',
    chunkSizeWarningLimit: 5000,
    reportCompressedSize: false,
    rolldownOptions: {
      // 'use client' and the like mean something to server rendering only.
      checks: { moduleLevelDirective: false },
      input: { graphiql: resolve(root, 'graphiql.html'), schema: resolve(root, 'schema.html') },
    },
  },
});
