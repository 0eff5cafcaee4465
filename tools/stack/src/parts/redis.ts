import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { debianProgram } from '../binaries/debian-packages.ts';
import { onPath } from '../binaries/run.ts';
import { lastingPort } from '../ports.ts';
import { StackError } from '../stack-error.ts';
import { ask, certificateFiles } from './nats.ts';
import type { OwnPartPlan } from './own-part.ts';

import type { PartSettings, ServerCertificate } from './running-part.ts';
import { writeWhole } from '../paths.ts';

const NOT_FOUND =
  'redis-server was not found: set REDIS_URL to a running server, or put redis-server on the PATH (macOS: brew install redis; Debian, Ubuntu: apt install redis-server), or run `docker compose up -d redis`';

/** @throws StackError that says how to install it */
export async function findRedis(
  log: (line: string) => void,
  find = onPath,
  fetchProgram = debianProgram,
): Promise<Pick<OwnPartPlan, 'program' | 'env'>> {
  const installed = find('redis-server');
  if (installed !== undefined) return { program: installed };
  const unpacked = await fetchProgram(
    { name: 'redis', packages: ['redis-server', 'redis-tools'], programs: ['usr/bin/redis-server'] },
    log,
  );
  if (unpacked === undefined) throw new StackError(NOT_FOUND);
  return { program: unpacked.program, env: { LD_LIBRARY_PATH: unpacked.libraries } };
}

const tlsPort = (port: number, { certificate, key }: ServerCertificate): string => `port 0
tls-port ${port}
tls-cert-file "${certificate}"
tls-key-file "${key}"
tls-auth-clients no`;

const configuration = (listen: string, password: string, home: string): string => `
bind 127.0.0.1
${listen}
requirepass ${password}
dir "${home}"
appendonly no
save ""
maxmemory 256mb
maxmemory-policy volatile-ttl
daemonize no
`;

export async function planRedis({ directory, log, tls }: PartSettings, password: string): Promise<OwnPartPlan> {
  const found = await findRedis(log);
  const port = await lastingPort(directory, 'redis');
  const home = join(directory, 'redis');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const file = join(home, 'redis.conf');
  const listen = tls ? tlsPort(port, certificateFiles(home, tls)) : `port ${port}`;
  writeWhole(file, configuration(listen, password, home));
  return {
    ...found,
    name: 'redis',
    url: `${tls ? 'rediss' : 'redis'}://default:${password}@127.0.0.1:${port}`,
    args: [file],
    stopSignal: 'SIGTERM',
    answers: () => ask(port, `AUTH ${password}\r\nPING\r\n`, /^\+PONG/m, tls !== undefined),
  };
}
