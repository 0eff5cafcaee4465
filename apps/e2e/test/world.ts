import { Api, type Backing, brokerSettings, connected, type RunningProduct, startProduct } from '@gatehouse/stack';
import { startMigratedBacking, stopwatch } from '@gatehouse/testing';
import { ordinaryAdministrator } from '@gatehouse/testing/ordinary-administrator';
import { poolProduct } from '@gatehouse/testing/pooler';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The product, as suites see it that stop and break nothing. */
export interface SharedWorld {
  readonly product: Pick<RunningProduct, 'baseUrl' | 'directory' | 'endpoints' | 'administrator'>;
  readonly backing: { readonly postgres: Pick<Backing['postgres'], 'url'> };
  readonly admin: Api;
  /** The token of the invitation mailed to an address, or null before it has been mailed. */
  invitationFor(email: string): Promise<string | null>;
}

/** The product on dedicated servers, which a test may stop and start. */
export interface World<P extends RunningProduct = RunningProduct> extends SharedWorld {
  readonly product: P;
  readonly backing: Backing;
  /** The directory of the servers' data and logs. */
  readonly directory: string;
  stop(): Promise<void>;
}

/** High limits, because tests act faster than people. */
export const RATE_LIMITS =
  'signInByClient=1000/300,signInByAccount=1000/300,mfa=1000/300,agentReport=1000/1,ssoStart=1000/300,discovery=1000/300';

/** Without these options Chromium contacts its vendor's servers. */
export const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

/** For tests of the gateway's own pages, whose places the console takes where it is built. */
export const WITHOUT_CONSOLE = { CONSOLE_DIRECTORY: '/nowhere' };

type Settings = Readonly<Record<string, string>>;

/**
 * @param settings of the product; a function is called when the servers are ready, before the product starts, with the
 *   settings that lead through a pooler, if there is one
 */
export async function startWorld(
  settings: Settings | ((backing: Backing, pooled: Settings) => Promise<Settings>) = {},
): Promise<World> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-e2e-'));
  const backing = await startMigratedBacking(directory);
  const pooled = await poolProduct(backing.postgres.url);
  const own = typeof settings === 'function' ? await settings(backing, pooled.settings) : settings;
  const product = await startProduct({
    DATABASE_ADMIN_URL: await ordinaryAdministrator(backing.postgres.url),
    NATS_URL: backing.nats.url,
    ...brokerSettings(backing.nats.url),
    REDIS_URL: backing.redis.url,
    RATE_LIMITS,
    ...pooled.settings,
    ...own,
  });
  const world = await worldOf(product, backing, directory);
  return { ...world, stop: () => world.stop().finally(() => pooled.stop()) };
}

/** @param directory of the servers, removed in the end */
export async function worldOf<P extends RunningProduct>(
  product: P,
  backing: Backing,
  directory: string,
): Promise<World<P>> {
  return {
    product,
    backing,
    directory,
    admin: await new Api(product.baseUrl).signIn(product.administrator),
    invitationFor: async (email) => invitationIn(product, email),
    stop: async () => {
      await product.stop();
      await backing.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Mails of releases up to 0.1.0 are quoted-printable. */
const readable = (mail: string): string =>
  mail.includes('quoted-printable') ? mail.replaceAll('=\r\n', '').replaceAll('=3D', '=') : mail;

export function invitationIn({ directory }: SharedWorld['product'], email: string): string | null {
  const folder = join(directory, 'mail');
  const mails = readdirSync(folder).map((name) => readable(readFileSync(join(folder, name), 'utf8')));
  return /accept-invite\?token=([\w-]+)/.exec(mails.find((text) => text.includes(email)) ?? '')?.[1] ?? null;
}

export interface Tenant {
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string;
  readonly deviceId: string;
  readonly agentToken: string;
}

interface Made {
  readonly id: string;
}

export async function makeTenant(admin: Api): Promise<Tenant> {
  const name = `tenant-${randomUUID().slice(0, 8)}`;
  const partner = await admin.must<Made>('POST', '/orgs/partners', { name, slug: name, status: 'active' });
  return makeOrganization(admin, partner.id, name);
}

/** Creates an organisation with a site and a device whose agent every service knows. */
export async function makeOrganization(admin: Api, partnerId: string, name: string): Promise<Tenant> {
  const org = await admin.must<Made>('POST', '/orgs/organizations', { partnerId, name, slug: name });
  const site = await admin.must<Made>('POST', '/orgs/sites', { orgId: org.id, name: 'Main' });
  const key = await admin.must<{ key: string; data?: { key: string } }>('POST', '/enrollment-keys', {
    orgId: org.id,
    siteId: site.id,
    name: 'e2e',
  });
  const { deviceId, agentToken } = await new Api(admin.baseUrl).must<{ deviceId: string; agentToken: string }>(
    'POST',
    '/agents/enroll',
    { enrollmentKey: key.key ?? key.data?.key, hostname: 'pc-1', osType: 'windows' },
  );
  // The other services learn of the organisation and the device within seconds.
  await admin.eventually('GET', `/pam/config?orgId=${org.id}`);
  await until(
    async () =>
      (await new Api(admin.baseUrl, agentToken).call('GET', `/agents/${deviceId}/commands?waitSeconds=0`)).status ===
      200,
  );
  return { partnerId, orgId: org.id, siteId: site.id, deviceId, agentToken };
}

/** A partner's administrator with a second factor, as the partner would have invited one. */
export async function partnerAdministrator({ admin, invitationFor }: SharedWorld, partnerId: string): Promise<Api> {
  const { data: roles } = await admin.must<{ data: { id: string; name: string }[] }>('GET', '/roles?axis=partner');
  const email = `administrator-${randomUUID()}@example.test`;
  const roleId = roles.find(({ name }) => name === 'Partner Admin')?.id;
  await admin.eventually('POST', '/users', {
    email,
    name: 'Administrator',
    membership: { scope: 'partner', partnerId, roleId, orgAccess: 'all' },
  });
  const token = await until(() => invitationFor(email), 30);
  const { accessToken } = await admin.as('').must<{ accessToken: string }>('POST', '/auth/accept-invite', {
    token,
    password: `a long passphrase ${randomUUID()}`,
  });
  const { secret } = await admin.as(accessToken).must<{ secret: string }>('POST', '/auth/mfa/totp/enroll', {});
  const confirmed = await admin
    .as(accessToken)
    .must<{ accessToken: string; refreshToken: string }>('POST', '/auth/mfa/totp/confirm', {
      code: await Api.codeFor(secret),
    });
  return new Api(admin.baseUrl, confirmed.accessToken, confirmed.refreshToken);
}

/**
 * Repeats the check until it returns something other than false or null; an error counts as null. The seconds are those
 * of a machine that is not busy.
 */
export async function until<T>(check: () => Promise<T | false | null>, seconds = 30): Promise<T> {
  for (const spent = stopwatch(); spent() < seconds * 1000; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const answer = await check().catch(() => null);
    if (answer !== false && answer !== null) return answer;
  }
  throw new Error(`not so after ${seconds} s: ${check.toString()}`);
}

/** Kills a service; if it has just ended and is not back yet, waits for it first. */
export async function killed({ product }: World, service: string): Promise<void> {
  await until(async () => process.kill(product.pidOf(service), 'SIGKILL'));
}

/** Repeats a request under one Idempotency-Key until it is acknowledged, as a careful client does. */
export async function acknowledged(api: Api, path: string, body: object): Promise<Record<string, unknown>> {
  const key = randomUUID();
  for (
    const deadline = Date.now() + 60_000;
    Date.now() < deadline;
    await new Promise((resolve) => setTimeout(resolve, 100))
  ) {
    const answer = await api.call('POST', path, body, { 'idempotency-key': key }).catch(() => null);
    if (answer && answer.status < 300) return answer.body;
    if (answer && answer.status < 500 && ![401, 404, 409, 429].includes(answer.status))
      throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  throw new Error(`${path} was never acknowledged`);
}

/** Queries a service's database as its owner, whom row security does not bind. */
export async function sql<T extends object>(
  world: SharedWorld,
  database: string,
  text: string,
  parameters: unknown[] = [],
): Promise<T[]> {
  const url = new URL(world.backing.postgres.url);
  url.pathname = new URL(world.product.endpoints.databases[database]?.app ?? '').pathname;
  return connected(url.href, async (client) => (await client.query(text, parameters)).rows as T[]);
}

export const OUTBOXES = ['identity', 'tenancy', 'pam', 'notifier'];

/** Whether the relays have published every committed event. */
export async function outboxesAreEmpty(world: World): Promise<boolean> {
  const waiting = await Promise.all(
    OUTBOXES.map((database) => sql(world, database, 'SELECT FROM outbox WHERE published_at IS NULL')),
  );
  return waiting.every((rows) => rows.length === 0);
}

interface AuditPage {
  readonly data: { readonly resource: { readonly id: string } }[];
  readonly nextCursor: string | null;
}

/** The resources of an organisation's audit entries of one action, one for each entry. */
export async function auditedIds(api: Api, orgId: string, action: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: AuditPage = await api.must<AuditPage>(
      'GET',
      `/audit-logs?orgId=${orgId}&action=${action}&limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    );
    ids.push(...page.data.map(({ resource }) => resource.id));
    cursor = page.nextCursor;
  } while (cursor);
  return ids;
}
