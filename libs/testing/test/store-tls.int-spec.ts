import { createDataSource, REQUEST_POOL } from '@gatehouse/database';
import { EventBus, provisionBroker } from '@gatehouse/messaging';
import { connectRedis } from '@gatehouse/rate-limit';
import { databaseAddress, natsAddress, redisAddress } from '@gatehouse/service';
import { type Backing, brokerUrlOf, connected, startBacking } from '@gatehouse/stack';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testServers } from '../src/index.ts';
import { PrivateAuthority } from './private-authority.ts';

const STORES: readonly Store[] = ['postgres', 'nats', 'redis'];

describe('TLS to the stores, with certificates of a private authority', () => {
  let named: Backing;
  let misnamed: Backing;

  beforeAll(async () => {
    const [authority, stranger] = await Promise.all([PrivateAuthority.create(), PrivateAuthority.create()]);
    writeFileSync(ours, authority.certificate);
    writeFileSync(another, stranger.certificate);
    const own = { ephemeral: true, log: nothing };
    [named, misnamed] = await Promise.all([
      startBacking({ ...own, directory: join(directory, 'named'), tls: await authority.certify('localhost') }),
      startBacking({
        ...own,
        directory: join(directory, 'misnamed'),
        only: ['nats', 'redis'],
        tls: await authority.certify('stores.example'),
      }),
    ]);
  });

  afterAll(async () => {
    await Promise.all([named.stop(), misnamed.stop()]);
    rmSync(directory, { recursive: true, force: true });
  });

  it.each(STORES)('connect to %s with the right authority', async (store) => {
    const answer = { postgres: [{ ssl: true }], nats: undefined, redis: 'PONG' }[store];
    await expect(USE[store](byName(named[store].url), ours)).resolves.toEqual(answer);
  });

  it.each(STORES)('are refused to %s with another authority', async (store) => {
    await expect(USE[store](byName(named[store].url), another)).rejects.toThrow('certificate signature failure');
  });

  it.each(STORES)('are refused to %s under a name that is not in its certificate', async (store) => {
    const url = store === 'postgres' ? named.postgres.url : byName(misnamed[store].url);
    await expect(USE[store](url, ours)).rejects.toThrow(/does not match certificate|altnames/i);
  });

  it.each(STORES)('never fall back to plain text at a %s without TLS', async (store) => {
    const { postgresAdminUrl: postgres, natsUrl: nats, redisUrl: redis } = testServers();
    await expect(USE[store](byName({ postgres, nats, redis }[store]), ours)).rejects.toThrow();
  });

  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-store-tls-'));
  const [ours, another] = [join(directory, 'ours.pem'), join(directory, 'another.pem')];
});

describe('TLS to the stores, with the certificates that deploy/tls makes', () => {
  let servers: Record<Store, Backing>;

  beforeAll(async () => {
    make();
    const started = STORES.map(async (store) => {
      const [certificate = '', key = ''] = ['crt', 'key'].map((end) =>
        readFileSync(join(made, store, `server.${end}`), 'utf8'),
      );
      const own = { directory: join(directory, store), ephemeral: true, log: nothing };
      return [store, await startBacking({ ...own, only: [store], tls: { certificate, key } })] as const;
    });
    servers = Object.fromEntries(await Promise.all(started)) as Record<Store, Backing>;
  });

  afterAll(async () => {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
    rmSync(directory, { recursive: true, force: true });
  });

  it.each(STORES)('connect to %s', async (store) => {
    const answer = { postgres: [{ ssl: true }], nats: undefined, redis: 'PONG' }[store];
    await expect(USE[store](byName(servers[store][store].url), authority)).resolves.toEqual(answer);
  });

  it('let no client into PostgreSQL without TLS, with the access rules of compose', async () => {
    const { url } = servers.postgres.postgres;
    await connected(url, async (client) => {
      const { rows } = await client.query<{ hba_file: string }>('SHOW hba_file');
      copyFileSync(join(deploy, 'postgres/pg_hba.tls.conf'), rows[0]?.hba_file ?? '');
      await client.query('SELECT pg_reload_conf()');
    });
    const withoutTls = (): Promise<unknown> =>
      connected(`${url}?sslmode=disable`, (client) => client.query('SELECT 1'));
    for (const deadline = Date.now() + 30_000; Date.now() < deadline;)
      if (
        await withoutTls().then(
          () => false,
          () => true,
        )
      )
        break;
    await expect(withoutTls()).rejects.toThrow('no encryption');
    await expect(USE.postgres(byName(url), authority)).resolves.toEqual([{ ssl: true }]);
  });

  it('are made anew by the same authority, and an authority is never overwritten', () => {
    const before = readFileSync(authority, 'utf8');
    expect(() => make()).toThrow('holds an authority already');
    const certificate = readFileSync(join(made, 'nats/server.crt'), 'utf8');
    make('renew');
    expect(readFileSync(authority, 'utf8')).toBe(before);
    expect(readFileSync(join(made, 'nats/server.crt'), 'utf8')).not.toBe(certificate);
  });

  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-made-tls-'));
  const made = join(directory, 'certificates');
  const authority = join(made, 'authority.pem');
  const deploy = join(import.meta.dirname, '../../../deploy');
  const make = (...more: string[]): string =>
    execFileSync('sh', [join(deploy, 'tls/make-certificates.sh'), made, ...more], { encoding: 'utf8', stdio: 'pipe' });
});

type Store = 'postgres' | 'nats' | 'redis';
const nothing = (): void => undefined;

/** The same server under a name that a certificate can state. */
const byName = (url: string): string => url.replace('@127.0.0.1:', '@localhost:');

/** Connects as a service in production does, works a little and disconnects. */
const USE: Readonly<Record<Store, (url: string, caFile: string) => Promise<unknown>>> = {
  async postgres(url, databaseCaFile) {
    const address = databaseAddress('DATABASE_URL_PAM', url, { isProduction: true, databaseCaFile });
    const definition = { name: 'pam', entities: [], migrations: [] };
    const source = createDataSource(definition, address, { ...REQUEST_POOL, size: 1 }, nothing);
    await source.initialize();
    const answer: unknown = await source.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    await source.destroy();
    return answer;
  },
  async nats(address, natsCaFile) {
    const { url, caFile } = natsAddress('NATS_URL', address, { isProduction: true, natsCaFile });
    await provisionBroker(url, { filtered: true, caFile });
    const bus = new EventBus({
      url: brokerUrlOf(url, 'pam'),
      caFile,
      name: 'pam',
      log: { info: nothing, warn: nothing, error: nothing },
    });
    bus.start();
    await bus.whenReady();
    await bus.close();
  },
  async redis(address, redisCaFile) {
    const { url, caFile } = redisAddress(address, { isProduction: true, redisCaFile });
    const redis = connectRedis(url, nothing, { caFile });
    try {
      // The reason is told to listeners only; `connect` itself rejects with the end of the connection.
      await new Promise((resolve, reject) => {
        redis.once('error', reject);
        void redis.connect().then(resolve, nothing);
      });
      return await redis.ping();
    } finally {
      redis.disconnect();
    }
  },
};
