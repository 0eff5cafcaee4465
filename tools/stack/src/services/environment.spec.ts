import { describe, expect, it } from '@jest/globals';
import { administrator, environmentOf, type Facts } from './environment.ts';
import { DATABASES, GATEWAY, type ServiceEntry, SERVICES, UPSTREAMS } from '@gatehouse/contracts-core';

describe('the environment of a service', () => {
  it("holds the runtime address of its own database and never the owner's", () => {
    const environment = environmentOf(facts(), service('pam-ingest'));
    expect(environment).toMatchObject({
      DATABASE_URL_PAM: 'postgres://app@db/pam',
      HOST: '127.0.0.1',
      NATS_URL: expect.stringMatching(/^nats:\/\/pam-ingest:[\w-]{43}@n:4222$/),
      REDIS_URL: 'redis://r',
    });
    expect(Object.keys(environment).filter((name) => name.startsWith('DATABASE_'))).toEqual(['DATABASE_URL_PAM']);
  });

  it('gives the private signing key to the gateway alone, and its public half to everybody', () => {
    for (const entry of UPSTREAMS) expect(JSON.stringify(environmentOf(facts(), entry))).not.toContain('private-part');
    expect(environmentOf(facts(), service('audit')).INTERNAL_IDENTITY_JWKS).toContain('"kid":"k1"');
    expect(environmentOf(facts(), GATEWAY).INTERNAL_IDENTITY_PRIVATE_KEY).toContain('private-part');
  });

  it('tells the gateway where each service is', () => {
    expect(environmentOf(facts(), GATEWAY)).toMatchObject({
      IDENTITY_URL: 'http://127.0.0.1:4000',
      PAM_INGEST_URL: 'http://127.0.0.1:4003',
      GATEWAY_PORT: '4006',
    });
  });

  it('tells only identity who the first administrator is', () => {
    const user = { BOOTSTRAP_ADMIN_EMAIL: 'root@example.org', BOOTSTRAP_ADMIN_PASSWORD: 'chosen' };
    expect(environmentOf(facts({ user }), service('identity'))).toMatchObject(user);
    expect(environmentOf(facts({ user }), service('tenancy'))).not.toHaveProperty('BOOTSTRAP_ADMIN_PASSWORD');
  });

  it('passes on what the user has set, except what is meant for the launcher', () => {
    const user = {
      PAM_PENDING_TTL_MINUTES: '3',
      DATABASE_ADMIN_URL: 'postgres://root@db',
      PORT: '80',
      LOG_LEVEL: 'debug',
    };
    const environment = environmentOf(facts({ user }), service('pam'));
    expect(environment).toMatchObject({ PAM_PENDING_TTL_MINUTES: '3', LOG_LEVEL: 'debug', PORT: '4002' });
    expect(environment).not.toHaveProperty('DATABASE_ADMIN_URL');
  });

  it('tells one service alone what is set for it alone', () => {
    const user = { PAM_INGEST__NATS_URL: 'nats://elsewhere' };
    expect(environmentOf(facts({ user }), service('pam-ingest'))).toMatchObject({ NATS_URL: 'nats://elsewhere' });
    expect(environmentOf(facts({ user }), service('pam')).NATS_URL).toContain('//pam:');
    expect(environmentOf(facts({ user }), service('pam'))).not.toHaveProperty('PAM_INGEST__NATS_URL');
  });

  it('ATK-03e logs each service in at our own broker as itself, and at one that the user names as the user says', () => {
    const logins = SERVICES.map((entry) => new URL(environmentOf(facts(), entry).NATS_URL ?? ''));
    expect(logins.map(({ username }) => username)).toEqual(SERVICES.map(({ name }) => name));
    expect(new Set(logins.map(({ password }) => password)).size).toBe(logins.length);
    expect(logins.map(({ password }) => password)).not.toContain('secret');
    const user = { NATS_URL: 'nats://theirs', NATS_ADMIN_URL: 'nats://root@theirs' };
    const environment = environmentOf(facts({ user, backing: { nats: user.NATS_URL } }), service('pam'));
    expect(environment).toMatchObject({ NATS_URL: 'nats://theirs' });
    expect(environment).not.toHaveProperty('NATS_ADMIN_URL');
  });

  it('ATK-03j gives each database a sealing key of its own, and behind it the shared one of an earlier version', () => {
    const keyOf = (name: string, changes: Partial<Facts> = {}) =>
      (({ SECRET_ENCRYPTION_KEY, SECRET_ENCRYPTION_KEYS }) => SECRET_ENCRYPTION_KEYS ?? SECRET_ENCRYPTION_KEY)(
        environmentOf(facts(changes), service(name)),
      );
    expect([keyOf('pam'), keyOf('pam-ingest'), keyOf('identity')]).toEqual(['pam-key', 'pam-key', 'identity-key']);
    expect(keyOf('identity', { credentials: { ...credentials, secretEncryptionKey: 'shared' } })).toBe(
      'identity-key,shared',
    );
  });

  it("keeps to the user's encryption key under any of its names", () => {
    expect(
      environmentOf(facts({ user: { SECRET_ENCRYPTION_KEYS: 'k2:b,k1:a' } }), service('identity')),
    ).not.toHaveProperty('SECRET_ENCRYPTION_KEY');
  });

  it("lets a development system reach the bundled identity provider beside the user's own hosts, and a production system nothing", () => {
    const user = { EGRESS_ALLOW_HOSTS: 'localhost:9000' };
    expect(environmentOf(facts({ user, identityProvider: '127.0.0.1:7000' }), service('identity'))).toMatchObject({
      EGRESS_ALLOW_HOSTS: 'localhost:9000,127.0.0.1:7000',
      EGRESS_ALLOW_HTTP: 'true',
    });
    const production = environmentOf(
      facts({ user: { NODE_ENV: 'production' }, identityProvider: '127.0.0.1:7000' }),
      service('identity'),
    );
    expect(production).not.toHaveProperty('EGRESS_ALLOW_HOSTS');
  });

  it('gives mails a directory unless they are sent', () => {
    expect(environmentOf(facts(), service('identity')).MAIL_DIR).toMatch(/\.stack\/mail$/);
    expect(environmentOf(facts({ user: { SMTP_URL: 'smtp://mail' } }), service('identity'))).not.toHaveProperty(
      'MAIL_DIR',
    );
  });
});

describe('the first administrator', () => {
  it('has a second factor of ours only together with a password of ours', () => {
    expect(administrator(facts())).toEqual({
      email: 'admin@gatehouse.example',
      password: 'made-password',
      totpSecret: 'MADESECRET',
    });
    expect(administrator(facts({ user: { BOOTSTRAP_ADMIN_PASSWORD: 'chosen' } })).totpSecret).toBeUndefined();
  });
});

const credentials = {
  postgresPassword: 'pg',
  natsPassword: 'nats',
  redisPassword: 'redis',
  sealingKeys: { pam: 'pam-key', identity: 'identity-key' },
  internalIdentityKey: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'private-part', kid: 'k1' },
  adminPassword: 'made-password',
  adminTotpSecret: 'MADESECRET',
};

function facts(changes: Partial<Facts> = {}): Facts {
  const ports = new Map(
    [...UPSTREAMS, GATEWAY].map(({ name }, index) => [name, { http: 4000 + index, admin: 5000 + index }]),
  );
  const databases = new Map(
    DATABASES.map((name) => [name, { app: `postgres://app@db/${name}`, owner: `postgres://owner@db/${name}` }]),
  );
  return {
    user: {},
    credentials,
    backing: { nats: 'nats://gatehouse:secret@n:4222', redis: 'redis://r' },
    databases,
    ports,
    ...changes,
  };
}

function service(name: string): ServiceEntry {
  const found = SERVICES.find((entry) => entry.name === name);
  if (found === undefined) throw new Error(`no service ${name}`);
  return found;
}
