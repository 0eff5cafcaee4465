import react from '@vitejs/plugin-react';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, defaultClientConditions, defineConfig, type Plugin, type Rolldown } from 'vite';

/** The product behind the development server: `npx nx serve console` starts both. */
const GATEWAY = process.env['GATEWAY_URL'] ?? 'http://localhost:3000';
const PAGES = ['/api', '/login', '/accept-invite', '/reset-password', '/assets', '/docs', '/.well-known'];

/**
 * Which scripts share a file. By default each set of screens that share a part gives it a file of its own: a hundred
 * small files for a first view. Sizes are of sources, in bytes.
 */
const GROUPS: Rolldown.CodeSplittingGroup[] = [
  // Renews the session while the rest is still on its way.
  { name: 'boot', test: /src\/main\.tsx$/, priority: 4 },
  // The application with all that it draws at once. The page names it, so that it does not wait for the boot.
  { name: 'first-view', tags: ['$initial'], priority: 3 },
  // What about half of all screens need, and small parts of fewer ones: more would weigh on those that do not need it.
  { name: 'common', minShareCount: 36, priority: 2 },
  { name: 'often', minShareCount: 24, maxModuleSize: 2_000, priority: 1 },
];

const APPLICATION = /<script async type="module" crossorigin src="([^"]+\/first-view-[^"]+)"([^>]*)><\/script>/;

/** The page fetches the application at once, and the boot runs it when the first calls are on their way. */
const fetchApplication: Plugin = {
  name: 'fetch-application',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (page) => page.replace(APPLICATION, '<link rel="modulepreload" crossorigin href="$1"$2>'),
  },
};

const OFFLINE = 'offline.html';
/** Never index.html, whose nonce is of one answer. */
const KEPT = /^assets\/.*\.(?:js|css)$/;

/** The service worker is a program of its own, which knows the files that it keeps. A hash names each asset. */
const serviceWorker: Plugin = {
  name: 'service-worker',
  apply: 'build',
  async writeBundle({ dir = '' }, bundle) {
    const assets = Object.keys(bundle).filter((name) => KEPT.test(name));
    const offline = createHash('sha256').update(readFileSync(join(import.meta.dirname, 'public', OFFLINE)));
    const manifest = [
      ...assets.sort().map((name) => ({ url: `/console/${name}`, revision: null })),
      { url: `/${OFFLINE}`, revision: offline.digest('hex') },
    ];
    await build({
      root: import.meta.dirname,
      configFile: false,
      logLevel: 'warn',
      define: { 'self.__WB_MANIFEST': JSON.stringify(manifest) },
      build: {
        outDir: dir,
        emptyOutDir: false,
        copyPublicDir: false,
        sourcemap: 'hidden',
        modulePreload: false,
        rolldownOptions: { input: 'src/sw.ts', output: { format: 'iife', entryFileNames: 'sw.js' } },
      },
    });
  },
};

export default defineConfig({
  base: '/console/',
  resolve: { conditions: ['@gatehouse/source', ...defaultClientConditions] },
  // The gateway replaces the placeholder by a new nonce in each answer.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    assetsInlineLimit: 0,
    sourcemap: 'hidden',
    modulePreload: { polyfill: false },
    // The budgets are tested in bytes as they travel.
    chunkSizeWarningLimit: Infinity,
    rolldownOptions: {
      input: ['index.html', 'src/application.tsx'],
      output: { codeSplitting: { groups: GROUPS } },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(PAGES.map((path) => [path, { target: GATEWAY, changeOrigin: false }])),
  },
  plugins: [react(), fetchApplication, serviceWorker],
});
