import {
  addressSettingOf,
  DATABASES,
  databaseSettings,
  SERVICE_NAMES,
  UPSTREAM_NAMES,
} from '@gatehouse/contracts-core';
import { programOf } from '@gatehouse/stack';
import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';

describe.each(SERVICE_NAMES)('%s', (service) => {
  it('refuses to start without its settings, and names them in one line', async () => {
    const { code, lines } = await start(service, {});
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^${service} cannot start: .*NATS_URL is missing`))]);
  });

  it('refuses allowances for development in production', async () => {
    const { code, lines } = await start(service, {
      ...COMPLETE,
      NODE_ENV: 'production',
      EGRESS_ALLOW_HOSTS: 'localhost:9000',
    });
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringContaining('EGRESS_ALLOW_HOSTS')]);
  });
});

describe.each(UPSTREAM_NAMES)('%s', (service) => {
  it('refuses a database address that is none by its name', async () => {
    const settings = Object.fromEntries(DATABASES.map((name) => [databaseSettings(name).app, 'nonsense']));
    const { code, lines } = await start(service, { ...COMPLETE, ...settings });
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringMatching(/DATABASE_URL_[A-Z]+ must be a postgres:\/\/ address/)]);
  });
});

describe('tenancy', () => {
  it('refuses services that hold no tenant data by the name of their setting', async () => {
    const { code, lines } = await start('tenancy', { ...COMPLETE, TENANT_DATA_SERVICES: 'tenancy,pma' });
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringContaining('TENANT_DATA_SERVICES must list some of')]);
  });
});

describe('the gateway', () => {
  it('refuses trusted proxies that are none by the name of their setting', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = (key: KeyObject) => ({ ...key.export({ format: 'jwk' }), kid: 'k' });
    const { code, lines } = await start('gateway', {
      ...COMPLETE,
      INTERNAL_IDENTITY_JWKS: JSON.stringify({ keys: [jwk(publicKey)] }),
      INTERNAL_IDENTITY_PRIVATE_KEY: JSON.stringify(jwk(privateKey)),
      TRUSTED_PROXIES: 'nonsense',
    });
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringContaining('TRUSTED_PROXIES is malformed')]);
  });
});

describe('any service', () => {
  it.each([
    ['a malformed address', { NATS_URL: 'not an address' }, 'NATS_URL'],
    ['a malformed address of its database', { DATABASE_URL_PAM: 'secret' }, 'DATABASE_URL_PAM must be a postgres://'],
    ['no encryption key', { SECRET_ENCRYPTION_KEY: '' }, 'SECRET_ENCRYPTION_KEY is missing'],
    [
      'a key ring with a short key',
      { SECRET_ENCRYPTION_KEYS: `k2:${Buffer.alloc(32).toString('base64')},k1:c2hvcnQ=` },
      'SECRET_ENCRYPTION_KEYS',
    ],
    [
      'a short key by its other name',
      { SECRET_ENCRYPTION_KEY: '', APP_ENCRYPTION_KEY: 'c2hvcnQ=' },
      'APP_ENCRYPTION_KEY',
    ],
    ['a database address that is none', { DATABASE_URL_PAM: 'localhost' }, 'DATABASE_URL_PAM'],
    ['an address of another database', { DATABASE_URL_PAM: 'mysql://127.0.0.1:1/pam' }, 'DATABASE_URL_PAM'],
    ['a public address that no browser opens', { PUBLIC_URL: 'ftp://example.com' }, 'PUBLIC_URL'],
    ['an allowed host without a port', { EGRESS_ALLOW_HOSTS: 'localhost' }, 'EGRESS_ALLOW_HOSTS'],
    ['a limit that there is not', { RATE_LIMITS: 'everything=1/1' }, 'RATE_LIMITS'],
    ['a catalogue of tools that is not there', { PAM_TOOL_CATALOG: '/nowhere.json' }, 'PAM_TOOL_CATALOG'],
    ['a JWK set that is none', { INTERNAL_IDENTITY_JWKS: 'none' }, 'INTERNAL_IDENTITY_JWKS'],
    ['a malformed number', { ADMIN_PORT: 'many' }, 'ADMIN_PORT'],
    [
      'plain http to allowed hosts in production',
      { NODE_ENV: 'production', EGRESS_ALLOW_HTTP: 'true' },
      'EGRESS_ALLOW_HTTP',
    ],
  ])('refuses %s by its name', async (_, settings, name) => {
    const { code, lines } = await start('pam', { ...COMPLETE, ...settings });
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringContaining(name)]);
  });

  it.each(['identity', 'notifier'])(
    'refuses name servers by name, because nothing resolves them: %s',
    async (service) => {
      const { code, lines } = await start(service, { ...COMPLETE, DNS_SERVERS: 'kube-dns.kube-system:53' });
      expect(code).toBe(1);
      expect(lines).toEqual([
        `${service} cannot start: DNS_SERVERS must list addresses of name servers, such as 10.0.0.10:53`,
      ]);
    },
  );

  it('refuses a malformed encryption key without showing it', async () => {
    const { lines } = await start('pam', { ...COMPLETE, SECRET_ENCRYPTION_KEY: 'c2hvcnQtY2FuYXJ5' });
    expect(lines).toEqual([expect.stringContaining('SECRET_ENCRYPTION_KEY')]);
    expect(lines.join()).not.toContain('c2hvcnQtY2FuYXJ5');
  });
});

/** Complete settings, so that a service gets past its configuration; no server listens at these addresses. */
const COMPLETE: Record<string, string> = {
  NATS_URL: 'nats://127.0.0.1:1',
  REDIS_URL: 'redis://127.0.0.1:1',
  INTERNAL_IDENTITY_JWKS: '{"keys":[]}',
  SECRET_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  ...Object.fromEntries(
    DATABASES.map((name) => [databaseSettings(name).app, 'postgres://nobody:nothing@127.0.0.1:1/none']),
  ),
  ...Object.fromEntries(UPSTREAM_NAMES.map((name) => [addressSettingOf(name), 'http://127.0.0.1:1'])),
  INTERNAL_IDENTITY_PRIVATE_KEY: '{}',
};

/** Ends a service that starts instead of refusing to: far longer than a refusal takes on a machine that stalls. */
const HANGS_MS = 90_000;

function start(
  service: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ code: number | null; lines: string[] }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [programOf(service)],
      { env: { PATH: process.env['PATH'] ?? '', ...environment }, timeout: HANGS_MS },
      (error, _, stderr) => {
        resolve({ code: error?.killed ? null : Number(error?.code ?? 0), lines: stderr.trim().split('\n') });
      },
    );
  });
}
