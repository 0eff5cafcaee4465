import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseAddress, natsAddress, redisAddress, type StoreSettings } from './store-addresses.ts';

afterAll(() => rmSync(directory, { recursive: true }));

describe('the addresses of the stores in production', () => {
  it.each([
    ['postgres', 'postgres://u:p@pg.example/pam'],
    ['postgres', 'postgres://u:p@10.1.2.3:5432/pam'],
    ['nats', 'nats://u:p@nats:4222,nats://nats-2.example:4222'],
    ['redis', 'redis://default:p@cache.example'],
  ])('are refused outside the own network without TLS: %s %s', (kind, url) => {
    expect(() => inProduction(kind, url)).toThrow(/_URL(_PAM)? leads to \S+ without TLS, .* in PLAIN_TEXT_STORES$/);
    const host = new URL(url.split(',').at(-1) ?? '').hostname.toUpperCase();
    expect(() => inProduction(kind, url, { plainTextStores: `elsewhere, ${host}` })).not.toThrow();
    expect(() => inProduction(kind, url, { isProduction: false })).not.toThrow();
  });

  it.each([
    ['postgres', 'postgres://u:p@postgres:5432/pam'],
    ['postgres', 'postgres://u:p@127.0.0.1:5432/pam'],
    ['postgres', 'postgresql:///pam?host=/run/postgresql'],
    ['postgres', 'postgres://u:p@pg.example/pam?sslmode=verify-full'],
    ['postgres', 'postgres://u:p@pg.example/pam?sslmode=disable'],
    ['nats', 'nats://u:p@nats.gatehouse.svc.cluster.local:4222'],
    ['nats', 'tls://u:p@nats.example:4222'],
    ['redis', 'redis://default:p@[::1]:6379'],
    ['redis', 'rediss://default:p@cache.example'],
  ])('are taken on the own network, with TLS, or when the address says that it is without: %s %s', (kind, url) => {
    expect(() => inProduction(kind, url)).not.toThrow();
  });

  it.each(['svc.example', 'x.svc.example', '127.0.0.1.example', 'localhost.example'])(
    'take no name for the own network that only looks like it: %s',
    (host) => expect(() => inProduction('redis', `redis://${host}`)).toThrow('PLAIN_TEXT_STORES'),
  );

  it.each([
    ['postgres', 'databaseCaFile', 'DATABASE_CA_FILE'],
    ['nats', 'natsCaFile', 'NATS_CA_FILE'],
    ['redis', 'redisCaFile', 'REDIS_CA_FILE'],
  ])('need the file of the authority to be there and to hold a certificate: %s', (kind, member, setting) => {
    const file = join(directory, 'not-a-certificate.pem');
    writeFileSync(file, 'secret');
    const url = `${kind}://u:p@store.example/x`;
    expect(() => inProduction(kind, url, { [member]: '/missing.pem' })).toThrow(
      `${setting}: /missing.pem cannot be read (ENOENT)`,
    );
    expect(() => inProduction(kind, url, { [member]: file })).toThrow(
      `${setting}: ${file} holds no certificate in PEM`,
    );
  });

  it.each([
    ['postgres', 'not an address', 'DATABASE_URL_PAM must be a postgres:// address'],
    ['postgres', 'mysql://u:secret@pg/pam', 'DATABASE_URL_PAM must be a postgres:// address'],
    ['postgres', 'postgres://u:secret@', 'DATABASE_URL_PAM must be a postgres:// address'],
    ['nats', 'nats://', 'NATS_URL must be a nats:// address'],
    ['nats', 'not an address', 'NATS_URL must be a nats:// address'],
    ['nats', 'nats://u:secret@a:4222,', 'NATS_URL must be a nats:// address'],
    ['nats', 'nats://u:secret@nats:4222,nowhere', 'NATS_URL must be a nats:// address'],
    ['nats', 'http://u:secret@nats:4222', 'NATS_URL must be a nats:// address'],
  ])('are refused by the name of the setting, without their value, when malformed: %s %s', (kind, url, message) => {
    expect(() => inProduction(kind, url)).toThrow(new RegExp(`^${message}$`));
  });

  it('are refused when they contradict the authority, are unknown, or cannot be verified', () => {
    const url = 'postgres://u:p@pg.example/pam?sslmode=';
    expect(() => inProduction('postgres', `${url}disable`, { databaseCaFile: '/ca.pem' })).toThrow('DATABASE_CA_FILE');
    expect(() => inProduction('postgres', `${url}allow`)).toThrow('unknown sslmode: allow');
    expect(() => inProduction('nats', 'tls://u:p@10.1.2.3:4222')).toThrow('needs the name of the server');
  });
});

describe('REDIS_SENTINELS', () => {
  it('lists hosts with their ports', () => {
    expect(address('sentinel-0:26379, sentinel-1.redis.svc:26380,[::1]:26379')).toMatchObject({
      url,
      sentinels: [
        { host: 'sentinel-0', port: 26379 },
        { host: 'sentinel-1.redis.svc', port: 26380 },
        { host: '::1', port: 26379 },
      ],
    });
  });

  it.each(['sentinel-0', 'sentinel-0:', 'redis://sentinel-0:26379', 'a:1,', 'a:1 b:2'])('cannot be %s', (setting) => {
    expect(() => address(setting)).toThrow('REDIS_SENTINELS needs host:port');
  });

  it('leads out of the installation with TLS alone', () => {
    expect(() => address('a:26379,cache.example:26379')).toThrow('REDIS_SENTINELS leads to cache.example without TLS');
    expect(
      redisAddress('rediss://pam:p@gatehouse', { isProduction: true, redisSentinels: 'cache.example:1' }).url,
    ).toBe('rediss://pam:p@gatehouse');
  });

  const url = 'redis://pam:p@gatehouse';
  const address = (redisSentinels: string, others: Partial<StoreSettings> = {}) =>
    redisAddress(url, { isProduction: true, redisSentinels, ...others });
});

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-store-addresses-'));

const PRODUCTION: StoreSettings = { isProduction: true };
const inProduction = (kind: string, url: string, settings: Partial<StoreSettings> = {}): unknown => {
  const all = { ...PRODUCTION, ...settings };
  if (kind === 'postgres') return databaseAddress('DATABASE_URL_PAM', url, all);
  return kind === 'nats' ? natsAddress('NATS_URL', url, all) : redisAddress(url, all);
};
