import { BROKER_ADMIN, renderBrokerAccounts } from '@gatehouse/messaging/broker';
import { chownSync, mkdirSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { debianProgram } from '../binaries/debian-packages.ts';
import { onPath, run } from '../binaries/run.ts';
import { brokerPassword } from '../broker-url.ts';
import { lastingPort } from '../ports.ts';
import { StackError } from '../stack-error.ts';
import type { ServerAccount } from '../unprivileged.ts';
import { writeWhole } from '../paths.ts';
import type { OwnPartPlan } from './own-part.ts';
import type { PartSettings, ServerCertificate } from './running-part.ts';

/** Writes the certificate and its key for the server, which alone may read the key. @returns their files */
export function certificateFiles(
  home: string,
  { certificate, key }: ServerCertificate,
  account?: ServerAccount,
): { certificate: string; key: string } {
  const files = { certificate: join(home, 'server.crt'), key: join(home, 'server.key') };
  writeWhole(files.certificate, certificate);
  writeWhole(files.key, key);
  if (account !== undefined) for (const file of Object.values(files)) chownSync(file, account.uid, account.gid);
  return files;
}

const TIMEOUT_MS = 2_000;

/**
 * Sends one line to a server on 127.0.0.1 and waits until its answer matches.
 * @param throughTls without verification: what matters is that our own server answers
 */
export function ask(port: number, question: string, answer: RegExp, throughTls = false): Promise<void> {
  return new Promise((resolve, reject) => {
    const place = { port, host: '127.0.0.1' };
    const socket = throughTls ? connectTls({ ...place, rejectUnauthorized: false }) : createConnection(place);
    let received = '';
    const finish = (error?: Error): void => {
      socket.destroy();
      if (error === undefined) resolve();
      else reject(error);
    };
    socket.setTimeout(TIMEOUT_MS, () => finish(new Error('no answer in time')));
    socket.once('error', finish);
    socket.once('close', () => finish(new Error(`unexpected answer: ${received.trim().split('\n').at(-1) ?? ''}`)));
    socket.once(throughTls ? 'secureConnect' : 'connect', () => socket.write(question));
    socket.on('data', (chunk) => {
      received += chunk.toString('utf8');
      if (answer.test(received)) finish();
    });
  });
}

const NOT_FOUND =
  'nats-server was not found: set NATS_URL to a running server, or put nats-server on the PATH (macOS: brew install nats-server; Debian, Ubuntu: apt install nats-server; others: nats.io/download), or run `docker compose up -d nats`';

/**
 * Servers before 2.10 lack the setting and write to disk every two minutes; events lost with them are published again
 * from the outbox.
 */
const KNOWS_SYNC_INTERVAL = /v(2\.[1-9]\d|[3-9])/;

/** @throws StackError that says how to install it */
export async function findNats(
  log: (line: string) => void,
  find = onPath,
  fetchProgram = debianProgram,
): Promise<string> {
  const found =
    find('nats-server') ??
    (
      await fetchProgram(
        {
          name: 'nats',
          packages: ['nats-server'],
          programs: ['usr/sbin/nats-server', 'usr/bin/nats-server'],
          preferRelease: { name: 'trixie', version: 13 },
        },
        log,
      )
    )?.program;
  if (found === undefined) throw new StackError(NOT_FOUND);
  return found;
}

/** Our own question whether it answers goes without TLS. */
const speaksTls = ({ certificate, key }: ServerCertificate): string =>
  `tls { cert_file: "${certificate}", key_file: "${key}" }\nallow_non_tls: true`;

const configuration = (port: number, password: string, store: string, syncsAlways: boolean): string => `
host: 127.0.0.1
port: ${port}
server_name: gatehouse
max_payload: 1MB
ping_interval: 10s
${renderBrokerAccounts((user) => `"${brokerPassword(password, user)}"`)}jetstream {
  store_dir: "${store}"
  max_memory_store: 64MB
  max_file_store: 4GB
  ${syncsAlways ? 'sync_interval: always' : ''}
}
`;

export async function planNats(
  { directory, ephemeral, log, tls }: PartSettings,
  password: string,
): Promise<OwnPartPlan> {
  const program = await findNats(log);
  const version = await run(program, ['--version']);
  const port = await lastingPort(directory, 'nats');
  const home = join(directory, 'nats');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const file = join(home, 'nats.conf');
  const base = configuration(port, password, home, !ephemeral && KNOWS_SYNC_INTERVAL.test(version));
  writeWhole(file, tls ? `${base}${speaksTls(certificateFiles(home, tls))}\n` : base);
  const greeting = `CONNECT {"user":"${BROKER_ADMIN}","pass":"${password}","verbose":false}\r\nPING\r\n`;
  return {
    name: 'nats',
    url: `nats://${BROKER_ADMIN}:${password}@127.0.0.1:${port}`,
    program,
    args: ['--config', file],
    stopSignal: 'SIGTERM',
    answers: () => ask(port, greeting, /^PONG/m),
  };
}
