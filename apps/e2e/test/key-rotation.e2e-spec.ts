import { DATABASES } from '@gatehouse/contracts-core';
import { startScriptedIdp, type ScriptedIdp } from '@gatehouse/dev-idp';
import { Api } from '@gatehouse/stack';
import { type Fleet, FLEET_SERVICES } from '@gatehouse/testing/fleet';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { startFleetWorld } from './fleet-world.ts';
import { MixedLoad } from './mixed-load.ts';
import { operate } from './operate.ts';
import { makeTenant, sql, until, type World } from './world.ts';

const key = (): string => randomBytes(32).toString('base64');
const [K1, K2] = [key(), key()];

function internalKey(): { secret: string; open: object } {
  const { kty, crv, x, y, d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const open = { kty, crv, x, y, kid: randomUUID(), alg: 'ES256', use: 'sig' };
  return { secret: JSON.stringify({ ...open, d }), open };
}

const [OLD, NEW] = [internalKey(), internalKey()];
const jwks = (...keys: { open: object }[]): string => JSON.stringify({ keys: keys.map(({ open }) => open) });

/**
 * The key settings of each step: every replica knows a key before it is used, and a key is removed only when it is no
 * longer used.
 */
const STEPS = {
  before: {
    SECRET_ENCRYPTION_KEYS: `k1:${K1}`,
    INTERNAL_IDENTITY_JWKS: jwks(OLD),
    INTERNAL_IDENTITY_PRIVATE_KEY: OLD.secret,
    // Operators sign with the gateway's key, as in an installation of the version before.
    OPERATOR_JWKS: '',
  },
  known: { SECRET_ENCRYPTION_KEYS: `k1:${K1},k2:${K2}`, INTERNAL_IDENTITY_JWKS: jwks(OLD, NEW) },
  used: { SECRET_ENCRYPTION_KEYS: `k2:${K2},k1:${K1}`, INTERNAL_IDENTITY_PRIVATE_KEY: NEW.secret },
  alone: { SECRET_ENCRYPTION_KEYS: `k2:${K2}`, INTERNAL_IDENTITY_JWKS: jwks(NEW) },
};

describe('both kinds of key, changed under load (R-41, R-42, R-43)', () => {
  let idp: ScriptedIdp;
  let world: World<Fleet>;
  let load: MixedLoad;
  let orgId: string;
  let present: Readonly<Record<string, string>> = STEPS.before;
  let signIns = 0;
  let over = false;

  beforeAll(async () => {
    idp = await startScriptedIdp();
    const { host } = new URL(idp.issuer);
    world = await startFleetWorld({
      replicas: 2,
      lagMs: 1_000,
      settings: { ...DRAINING, EGRESS_ALLOW_HOSTS: host, EGRESS_ALLOW_HTTP: 'true', ...present },
    });
    const tenant = await makeTenant(world.admin);
    ({ orgId } = tenant);
    load = await MixedLoad.prepare(world, tenant, SLOWNESS);
    await provider();
    await world.admin.must('POST', '/push-subscriptions', { kind: 'webhook', endpoint: `${idp.issuer}/hook` });
    idp.identity = { sub: randomUUID(), email: `ada-${randomUUID()}@corp.example`, email_verified: true, name: 'Ada' };
  }, 240_000);
  afterAll(async () => {
    over = true;
    await load?.stop().catch(() => undefined);
    await world?.stop();
    await idp.stop();
  });

  it('fail no request: decrypt-only, primary, sealed again, the old one removed; the signing key rotated in between', async () => {
    load.start();
    const signing = signInAllTheTime();
    await wait(1_000);
    const { output } = await asOperator('reseal', '--check');
    const old = /identity: .* primary key (\w+):/.exec(output)?.[1] ?? '';
    expect((await placesSealedBy(old)).length).toBeGreaterThan(6);

    await roll(STEPS.known);
    const trip = await beginSignIn();
    await roll(STEPS.used);
    await completeSignIn(trip);
    expect((await asOperator('reseal', '--check')).code).toBe(2);

    await sql(world, 'identity', `UPDATE signing_keys SET state_since = state_since - interval '10 minutes'`);
    expect(await asOperator('rotate', 'signing-key')).toMatchObject({ code: 0 });
    expect(await asOperator('rotate', 'checkpoint-key')).toMatchObject({ code: 0 });
    expect(await asOperator('reseal')).toMatchObject({
      code: 0,
      output: expect.stringContaining('no older key is used any more'),
    });
    expect(await placesSealedBy(old)).toEqual([]);

    await roll(STEPS.alone);
    await wait(1_000);
    over = true;
    await signing;
    await load.stop();
    expect([...load.failures, ...failures]).toEqual([]);
    expect([load.answered > 300, signIns > 20]).toEqual([true, true]);
  }, 1_200_000);

  it('leave everything as it was: providers, second factors; what the former internal key signs is refused', async () => {
    await completeSignIn(await beginSignIn());
    await until(async () => (await world.admin.signIn(world.product.administrator)).accessToken !== null, 40);
    const former = await operate(
      {
        IDENTITY_URL: world.product.endpoints.services['identity']?.url ?? '',
        INTERNAL_IDENTITY_PRIVATE_KEY: OLD.secret,
      },
      'reseal',
      '--check',
      '--service',
      'identity',
    );
    expect(former).toMatchObject({ code: 1, output: expect.stringContaining('identity answered 401') });
  });

  it('cannot be forgotten for a column: each one that says it is sealed is registered', async () => {
    const { output } = await asOperator('reseal', '--check');
    for (const database of DATABASES) {
      const sealed = await sql(world, database, `${TEXTS} AND column_name LIKE '%sealed%'`);
      expect(output).toContain(`${database}: ${sealed.length} columns, `);
    }
  });

  const failures: string[] = [];

  async function provider(): Promise<void> {
    const { data: roles } = await world.admin.must<{ data: { id: string; name: string }[] }>(
      'GET',
      '/roles?axis=organization',
    );
    const { issuer, clientId, clientSecret } = idp;
    const body = {
      orgId,
      name: 'IdP',
      type: 'oidc',
      issuer,
      clientId,
      clientSecret,
      defaultRoleId: roles.find(({ name }) => name === 'Organization Viewer')?.id,
    };
    const { data } = await world.admin.must<{ data: { id: string } }>('POST', '/sso/providers', body);
    await world.admin.must('POST', `/sso/providers/${data.id}/status`, { status: 'active' });
  }

  interface Trip {
    readonly back: string;
    readonly cookie: string;
  }

  async function beginSignIn(): Promise<Trip> {
    const start = await fetch(`${world.product.baseUrl}/api/v1/sso/login/${orgId}`, { redirect: 'manual' });
    if (start.status !== 302) throw new Error(`the start of a sign-in answered ${start.status} ${await start.text()}`);
    const away = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' });
    return {
      back: new URL(away.headers.get('location') ?? '').search,
      cookie: start.headers.get('set-cookie')?.split(';')[0] ?? '',
    };
  }

  async function completeSignIn({ back, cookie }: Trip): Promise<void> {
    const landed = await fetch(`${world.product.baseUrl}/api/v1/sso/callback${back}`, {
      redirect: 'manual',
      headers: { cookie },
    });
    const code = /#ssoCode=(.+)$/.exec(landed.headers.get('location') ?? '')?.[1];
    if (!code) throw new Error(`a sign-in landed at ${landed.status} ${landed.headers.get('location')}`);
    const browser = /svc_sso_browser=[\w-]{43}/.exec(landed.headers.get('set-cookie') ?? '')?.[0] ?? '';
    const { status } = await new Api(world.product.baseUrl).call(
      'POST',
      '/sso/exchange',
      { code },
      { cookie: browser },
    );
    if (status !== 200) throw new Error(`the exchange of a code answered ${status}`);
  }

  async function signInAllTheTime(): Promise<void> {
    for (; !over; await wait(200)) {
      await beginSignIn()
        .then(completeSignIn)
        .then(
          () => signIns++,
          (error: unknown) => failures.push(String(error)),
        );
    }
  }

  /** Restarts one replica after the other, as a rollout does. */
  async function roll(step: Readonly<Record<string, string>>): Promise<void> {
    present = { ...present, ...step };
    for (const at of [0, 1]) {
      const codes = await Promise.all(
        FLEET_SERVICES.map((service) => {
          const replica = world.product.replicasOf(service)[at];
          replica?.reconfigure(service === 'gateway' ? present : { ...present, INTERNAL_IDENTITY_PRIVATE_KEY: '' });
          return replica && world.product.restart(replica);
        }),
      );
      expect(codes).toEqual(FLEET_SERVICES.map(() => 0));
      await world.product.whole();
    }
  }

  const asOperator = (...words: string[]): Promise<{ code: number; output: string }> => {
    const urls = Object.entries(world.product.endpoints.services).map(([name, { url }]) => [
      `${name.toUpperCase().replace('-', '_')}_URL`,
      url,
    ]);
    return operate(
      { ...Object.fromEntries(urls), INTERNAL_IDENTITY_PRIVATE_KEY: present['INTERNAL_IDENTITY_PRIVATE_KEY'] ?? '' },
      ...words,
    );
  };

  /** The tables and columns that hold a value sealed with the key, found without the registry. */
  async function placesSealedBy(keyId: string): Promise<string[]> {
    const places: string[] = [];
    for (const database of DATABASES) {
      for (const { table_name: table, column_name: column } of await sql<{ table_name: string; column_name: string }>(
        world,
        database,
        TEXTS,
      )) {
        const found = await sql(world, database, `SELECT FROM "${table}" WHERE "${column}"::text LIKE $1 LIMIT 1`, [
          `v1.${keyId}.%`,
        ]);
        if (found.length > 0) places.push(`${database}.${table}.${column}`);
      }
    }
    return places;
  }
});

/** Seven services drain at a time, on a machine that may be busy; rolling-restart holds them to their deadline. */
const DRAINING = { DRAIN_DELAY_SECONDS: '2', DRAIN_TIMEOUT_SECONDS: '150' };
/** Beside the load, two cores start each of fourteen programs four times. */
const SLOWNESS = 3;
const TEXTS = `
  SELECT table_name, column_name FROM information_schema.columns JOIN information_schema.tables
    USING (table_schema, table_name)
   WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
     AND data_type IN ('text', 'character varying', 'json', 'jsonb')`;
