import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { StackError } from './stack-error.ts';

// Below the range from which systems number outgoing connections: a part that is down for a while finds its port free
// again.
const LOWEST = 20_000;
const HIGHEST = 30_000;
const ATTEMPTS = 50;

const reserved = new Set<number>();

/** Whether something could listen on this port of 127.0.0.1 now. */
function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

function isAnswered(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect({ port, host });
    probe.once('connect', () => probe.destroy() && resolve(true));
    probe.once('error', () => resolve(false));
  });
}

/**
 * Whether a browser that asks `localhost` would reach what listens on 127.0.0.1. macOS lets us listen there beside a
 * program that listens on every address, and browsers try ::1 first.
 */
export const isFreeForBrowsers = async (port: number): Promise<boolean> =>
  (await isPortFree(port)) && !(await isAnswered(port, '::1'));

/**
 * Reserves a port until this process ends, against this and other processes. It binds the UDP port of the same number,
 * because the TCP port must stay free for the server.
 */
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const mark = createSocket('udp4').unref();
    mark.once('error', () => mark.close(() => resolve(false)));
    mark.bind(port, '127.0.0.1', () => {
      reserved.add(port);
      resolve(true);
    });
  });
}

/** A free port on 127.0.0.1 that no running process was given here. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if ((await reserve(port)) && (await isPortFree(port))) return port;
  }
  throw new StackError(`no free port on 127.0.0.1 between ${LOWEST} and ${HIGHEST}`);
}

function remembered(file: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
  } catch {
    return {};
  }
}

/** The port that `name` had the last time in this directory when it is free, else a new one, which is remembered. */
export async function lastingPort(directory: string, name: string): Promise<number> {
  const file = join(directory, 'ports.json');
  const last = remembered(file)[name];
  if (last !== undefined && (reserved.has(last) || (await reserve(last))) && (await isPortFree(last))) return last;
  const port = await freePort();
  writeFileSync(file, JSON.stringify({ ...remembered(file), [name]: port }));
  return port;
}
