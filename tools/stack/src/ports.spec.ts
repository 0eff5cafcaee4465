import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { freePort, isFreeForBrowsers, lastingPort } from './ports.ts';

describe('a port that is given away', () => {
  afterAll(() => rmSync(directory, { recursive: true }));

  it('is kept from other processes though nothing listens on it yet', async () => {
    const { answer, end } = await another(await freePort());
    await end();
    expect(answer).toBe('EADDRINUSE');
  });

  it('is not one that another process keeps, until that one has ended', async () => {
    const { answer, end } = await another(0);
    const port = Number(answer);
    const file = join(directory, 'ports.json');
    writeFileSync(file, JSON.stringify({ part: port }));
    expect(await lastingPort(directory, 'part')).not.toBe(port);
    await end();
    writeFileSync(file, JSON.stringify({ part: port }));
    expect(await lastingPort(directory, 'part')).toBe(port);
  });

  it('is given again under its name, unless something listens on it', async () => {
    const port = await lastingPort(directory, 'mine');
    expect(await lastingPort(directory, 'mine')).toBe(port);
    const server = createServer();
    await once(server.listen(port, '127.0.0.1'), 'listening');
    expect(await lastingPort(directory, 'mine')).not.toBe(port);
    await new Promise((resolve) => server.close(resolve));
  });

  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-ports-'));
});

/** Undefined on a machine without IPv6. */
function listeningAt(host: string): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(0, host, () => resolve(server));
  });
}

describe('the port of the gateway', () => {
  it('is free for browsers when nothing listens on it', async () => {
    expect(await isFreeForBrowsers(await freePort())).toBe(true);
  });

  it.each(['127.0.0.1', '::1'])('is taken when another program listens on %s', async (host) => {
    const server = await listeningAt(host);
    const taken = server === undefined || !(await isFreeForBrowsers((server.address() as AddressInfo).port));
    server?.close();
    expect(taken).toBe(true);
  });
});

/** Keeps a port (0: any) until it is ended, and prints it; or prints why it cannot. */
const ANOTHER = `
  const mark = require('node:dgram').createSocket('udp4');
  mark.once('error', ({ code }) => console.log(code));
  mark.bind(Number(process.argv[1]), '127.0.0.1', () => console.log(mark.address().port));
`;

async function another(port: number): Promise<{ answer: string; end: () => Promise<unknown> }> {
  const child = spawn(process.execPath, ['-e', ANOTHER, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  const exit = once(child, 'exit');
  return { answer: String(chunk).trim(), end: () => (child.kill(), exit) };
}
