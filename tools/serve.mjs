import { join } from 'node:path';
import { bootstrap, fail, REPOSITORY } from './bootstrap.mjs';

/** Passkeys and the check of the origin are bound to the public address, so it is that of the development server. */
const CONSOLE_PORT = 5173;

/** The console with Vite's development server, in front of the whole product. */
async function serveConsole() {
  await bootstrap();
  process.env.PUBLIC_URL = `http://localhost:${CONSOLE_PORT}`;
  process.env.GATEWAY_URL = `http://localhost:${process.env.GATEWAY_PORT || 3000}`;
  const { createServer } = await import('vite');
  const server = await createServer({
    root: join(REPOSITORY, 'apps/console'),
    // Views have the addresses that they have behind the gateway.
    base: '/',
    server: { port: CONSOLE_PORT, strictPort: true },
  });
  await server.listen();
  // The launcher ends this process when it has stopped the product.
  await import('./stack/dist/main.js');
}

async function serveService(service) {
  await bootstrap([`apps/${service}`, 'tools/stack']);
  await import('./stack/dist/serve.js');
}

const [service] = process.argv.slice(2);
if (!service) fail('usage: npx nx serve <service>');
await (service === 'console' ? serveConsole() : serveService(service));
