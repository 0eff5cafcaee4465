import { createServer } from 'node:net';
import { bootstrap, fail, isInstalled, requireSupportedSystem } from './bootstrap.mjs';
import { buildConsole } from './console.mjs';

/** Whether another program listens on the port of 127.0.0.1. */
function isTaken(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', ({ code }) => resolve(code === 'EADDRINUSE'));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(false)));
  });
}

/**
 * Stops before minutes of installing. The launcher checks every port again; on later starts a leftover of the product
 * itself may hold this one, and the launcher ends it first.
 */
async function requireFreePort() {
  const port = Number(process.env.GATEWAY_PORT || 3000);
  if (Number.isInteger(port) && (await isTaken(port)))
    fail(`port ${port} is taken by another program; choose one with GATEWAY_PORT=${port + 1} npm start`);
}

requireSupportedSystem();
if (!isInstalled()) await requireFreePort();
await bootstrap(undefined, buildConsole);
await import('./stack/dist/main.js');
