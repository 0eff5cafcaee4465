import { brokerUsers } from '@gatehouse/messaging';
import { findNats, freePort } from '@gatehouse/stack';
import { afterAll, expect, it } from '@jest/globals';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const DEPLOY = join(import.meta.dirname, '../../../deploy');

/** Servers with the configuration of the production overlay and of `own-store-tls`, at other ports and folders. */
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-routes-'));

const program = await findNats(() => undefined);
const made = join(directory, 'made');
execFileSync('sh', [join(DEPLOY, 'tls/make-certificates.sh'), made], { stdio: 'ignore' });
mkdirSync(join(directory, 'certificates'));
for (const file of ['authority.pem', 'nats/server.crt', 'nats/server.key'])
  writeFileSync(join(directory, 'certificates', file.replace('nats/', '')), readFileSync(join(made, file)));
const routePorts = await Promise.all([freePort(), freePort(), freePort()]);
afterAll(async () => {
  await Promise.all(
    servers.map(async ({ process: child }) => {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }),
  );
  rmSync(directory, { recursive: true });
});

it('the servers of a broker join through TLS, and one that knows the password alone stays outside', async () => {
  const tls = read('k8s/components/own-store-tls/routes.conf');
  for (const [at, port] of routePorts.entries()) await start(`nats-${at}`, port, tls);
  for (const server of servers.slice(0, 3)) await until(async () => (await routesOf(server)).length === 2);
  const peers = await routesOf(servers[0]!);

  const stranger = await start('nats-3', await freePort(), read('nats/routes.conf'));
  await until(() => servers.slice(0, 3).some(({ log }) => /TLS route handshake error/.test(readFileSync(log, 'utf8'))));
  expect([await routesOf(stranger), await routesOf(servers[0]!)]).toEqual([[], peers]);
});

const read = (...path: string[]): string => readFileSync(join(DEPLOY, ...path), 'utf8');
const SETTINGS = ['NATS_PASSWORD', 'NATS_CLUSTER_PASSWORD'];

interface Server {
  readonly name: string;
  readonly process: ChildProcess;
  readonly monitor: number;
  readonly log: string;
}
const servers: Server[] = [];

async function start(name: string, port: number, routes: string): Promise<Server> {
  const home = join(directory, name);
  mkdirSync(join(home, 'data'), { recursive: true });
  const [client, monitor] = [await freePort(), await freePort()];
  const own = read('k8s/overlays/production/nats.conf')
    .replace('port: 4222', `host: 127.0.0.1\nport: ${client}`)
    .replace('port: 6222', `host: 127.0.0.1\n  port: ${port}`)
    .replace('http_port: 8222', `http: 127.0.0.1:${monitor}`)
    .replace('store_dir: /data', `store_dir: ${join(home, 'data')}`)
    // Unknown to servers before 2.10.
    .replace(/^ *sync_interval.*$/m, '');
  const files = { 'nats.conf': own, 'accounts.conf': read('nats/accounts.conf'), 'routes.conf': routes };
  const there = (text: string): string => text.replaceAll('/tls/', `${directory}/certificates/`);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(home, file), there(text));
  const log = join(home, 'log');
  const output = openSync(log, 'a');
  const peers = routePorts.map((peer) => `nats://gatehouse:cluster@localhost:${peer}`).join(',');
  const users = brokerUsers().map(({ user }) => `NATS_PASSWORD_${user.toUpperCase().replace('-', '_')}`);
  const env = { POD_NAME: name, ...Object.fromEntries([...SETTINGS, ...users].map((setting) => [setting, 'cluster'])) };
  const child = spawn(program, ['--config', join(home, 'nats.conf'), '--routes', peers], {
    env,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const server = { name, process: child, monitor, log };
  servers.push(server);
  return server;
}

/** The identifiers of the other servers to which one has a route. */
async function routesOf({ monitor }: Server): Promise<string[]> {
  const answer = await fetch(`http://127.0.0.1:${monitor}/routez`).catch(() => null);
  const { routes } = ((await answer?.json()) ?? { routes: [] }) as { routes: { remote_id: string }[] };
  return [...new Set(routes.map(({ remote_id: id }) => id))].sort();
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; !(await condition()); turn++) {
    if (turn > 600) throw new Error(servers.map(({ log }) => readFileSync(log, 'utf8').slice(-1_000)).join('\n'));
    await wait(100);
  }
}
