import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { REPOSITORY } from './paths.ts';
import { freePort } from './ports.ts';

const READY_MS = 120_000;
const POLL_MS = 100;
const ENDPOINTS = 'endpoints.json';

export interface Endpoints {
  readonly services: Readonly<Record<string, { readonly url: string; readonly adminUrl: string }>>;
  readonly backing: { readonly postgres: string; readonly nats: string; readonly redis: string };
  readonly databases: Readonly<Record<string, { readonly owner: string; readonly app: string }>>;
  readonly identityProvider?: string;
}

/** The built product as `npm start` runs it, in a directory of its own, for tests and measurements. */
export interface RunningProduct {
  readonly baseUrl: string;
  readonly directory: string;
  readonly endpoints: Endpoints;
  readonly administrator: { readonly email: string; readonly password: string; readonly totpSecret: string };
  /** The gateway's private key, to call a service as the gateway does. */
  readonly internalIdentityKey: string;
  /** Process id of a service as it runs now. */
  pidOf(service: string): number;
  /** Process ids of all replicas of a service. */
  pidsOf(service: string): readonly number[];
  /** Drains and stops all of it and removes the directory. */
  stop(): Promise<void>;
}

interface StoredCredentials {
  readonly adminPassword: string;
  readonly adminTotpSecret: string;
  readonly internalIdentityKey: object;
}

const readJson = <T>(...path: string[]): T => JSON.parse(readFileSync(join(...path), 'utf8')) as T;

/**
 * The launcher writes the addresses after the gateway has answered, so the file also shows that the product is ready.
 */
async function untilReady(
  child: ChildProcess,
  { baseUrl, directory }: Pick<RunningProduct, 'baseUrl' | 'directory'>,
  words: () => string,
): Promise<void> {
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await pause(POLL_MS)) {
    if (child.exitCode !== null) throw new Error(`the product did not start:\n${words()}`);
    const ok = await fetch(`${baseUrl}/healthz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ok && existsSync(join(directory, ENDPOINTS))) return;
  }
  throw new Error(`the product is not ready after ${READY_MS / 1000} s:\n${words()}`);
}

/** @param settings environment of the product; the demo tenant is made only when DEMO is set to `true` */
export async function startProduct(settings: Readonly<Record<string, string>> = {}): Promise<RunningProduct> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-product-'));
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  const env = {
    ...process.env,
    DEMO: 'false',
    LOG_LEVEL: 'warn',
    ...settings,
    NODE_OPTIONS: '',
    GATEHOUSE_STACK_DIRECTORY: directory,
    GATEWAY_PORT: String(port),
  };
  const child = spawn(process.execPath, [join(REPOSITORY, 'tools/stack/dist/main.js')], {
    cwd: REPOSITORY,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => lines.push(text));
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await untilReady(child, { baseUrl, directory }, () => lines.join('').slice(-4_000));
  } catch (error) {
    await stop();
    throw error;
  }
  const stored = readJson<StoredCredentials>(directory, 'credentials.json');
  const pidOf = (service: string): number =>
    readJson<{ pid: number }>(directory, 'run', 'services', `${service}.json`).pid;
  return {
    baseUrl,
    directory,
    endpoints: readJson<Endpoints>(directory, ENDPOINTS),
    administrator: {
      email: 'admin@gatehouse.example',
      password: stored.adminPassword,
      totpSecret: stored.adminTotpSecret,
    },
    internalIdentityKey: JSON.stringify(stored.internalIdentityKey),
    pidOf,
    pidsOf: (service) => [pidOf(service)],
    stop,
  };
}
