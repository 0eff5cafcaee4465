import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin, type Rolldown } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

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
  { name: 'often', minShareCount: 16, maxModuleSize: 2_500, priority: 1 },
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
  plugins: [
    react(),
    fetchApplication,
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src',
      filename: 'sw.ts',
      injectRegister: null,
      manifest: false,
      injectManifest: {
        // A hash names each asset: the worker takes what the browser has already.
        dontCacheBustURLsMatching: /assets\/.*-[\w-]{8}\.\w+$/,
        // Never index.html, whose nonce is of one answer.
        globPatterns: ['assets/*.{js,css}', 'offline.html'],
        modifyURLPrefix: { 'assets/': '/console/assets/', offline: '/offline' },
      },
    }),
  ],
});
