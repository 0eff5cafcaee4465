import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

/** The product behind the development server: `npx nx serve console` starts both. */
const GATEWAY = process.env['GATEWAY_URL'] ?? 'http://localhost:3000';
const PAGES = ['/api', '/login', '/accept-invite', '/reset-password', '/assets', '/docs', '/.well-known'];

export default defineConfig({
  base: '/console/',
  resolve: { conditions: ['@gatehouse/source', ...defaultClientConditions] },
  // The gateway replaces the placeholder by a new nonce in each answer.
  html: { cspNonce: '__CSP_NONCE__' },
  build: { assetsInlineLimit: 0, sourcemap: 'hidden', modulePreload: { polyfill: false } },
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(PAGES.map((path) => [path, { target: GATEWAY, changeOrigin: false }])),
  },
  plugins: [
    react(),
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
