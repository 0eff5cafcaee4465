import { join } from 'node:path';
import { bootstrap, REPOSITORY } from './bootstrap.mjs';

// The console with Vite's development server, in front of the whole product:
//   npx nx serve console

/** Passkeys and the check of the origin are bound to the public address, so it is that of the development server. */
const PORT = 5173;

await bootstrap();
process.env.PUBLIC_URL = `http://localhost:${PORT}`;
process.env.GATEWAY_URL = `http://localhost:${process.env.GATEWAY_PORT || 3000}`;
const { createServer } = await import('vite');
const server = await createServer({
  root: join(REPOSITORY, 'apps/console'),
  // Views have the addresses that they have behind the gateway.
  base: '/',
  server: { port: PORT, strictPort: true },
});
await server.listen();
// The launcher ends this process when it has stopped the product.
await import('./stack/dist/main.js');
