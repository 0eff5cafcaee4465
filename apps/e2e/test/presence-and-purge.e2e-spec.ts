import { DATABASES as ALL_DATABASES, databaseSettings } from '@gatehouse/contracts-core';
import { Api } from '@gatehouse/stack';
import { Dice } from './authority/dice.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { furnish, type Person } from './furnished-organization.ts';
import { operate } from './operate.ts';
import { postgresPrograms } from './restore/postgres-programs.ts';
import {
  auditedIds,
  killed,
  makeOrganization,
  makeTenant,
  partnerAdministrator,
  sql,
  startWorld,
  type Tenant,
  until,
  type World,
} from './world.ts';

const DATABASES = ['identity', 'tenancy', 'pam', 'notifier'];

/** Tables that still name an organisation after its purge: the record of the purge, and published events. */
const REMEMBERED = [
  'identity.org_ref',
  'tenancy.organizations',
  'tenancy.organization_runs',
  'pam.org_ref',
  ...DATABASES.flatMap((database) => [`${database}.outbox`, `${database}.tenant_tasks`]),
];
/** Tables that change without a request. */
const RESTLESS = [
  'tenancy.device_counts',
  'tenancy.device_count_deltas',
  'tenancy.device_presence',
  'pam.elevation_counts',
  'pam.elevation_count_deltas',
  'pam.ignored_count_deltas',
  'pam.device_commands',
  'pam.approval_questions',
];

/** Tables whose rows granted something, or are made anew: no restoration brings them back. */
const NOT_RESTORED = [
  'identity.api_keys',
  'identity.membership_offers',
  'identity.sso_metadata_changes',
  'identity.sso_setup_links',
  'identity.sso_setup_visits',
  'tenancy.enrollment_keys',
  'pam.report_receipts',
  'notifier.push_subscriptions',
  'notifier.push_deliveries',
];

const TABLES = `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
  AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`;

const programs = postgresPrograms();
if (programs === null)
  process.stderr.write('SKIPPED: no directory holds postgres, pg_dump and pg_restore; no organisation was restored\n');
const itRestores = programs === null ? it.skip : it;

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  if (programs !== null) process.env['GATEHOUSE_TEST_POSTGRES'] = programs;
  world = await startWorld({
    PURGE_SWEEP_SECONDS: '1',
    AGENTS_SEEN_EVERY_SECONDS: '1',
    DEVICE_OFFLINE_AFTER_SECONDS: '5',
  });
  tenant = await makeTenant(world.admin);
});
afterAll(() => world.stop(), 60_000);

/** The number of rows in each table that name the organisation, in any column. */
async function rowsOf(orgId: string): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const database of DATABASES) {
    for (const { name } of await sql<{ name: string }>(world, database, TABLES)) {
      const [found] = await sql<{ count: number }>(
        world,
        database,
        `SELECT count(*)::integer FROM ${name} t WHERE t::text LIKE $1`,
        [`%${orgId}%`],
      );
      if (found && found.count > 0) rows[`${database}.${name}`] = found.count;
    }
  }
  return rows;
}

const without = (rows: Record<string, number>, ...tables: readonly string[]): Record<string, number> =>
  Object.fromEntries(Object.entries(rows).filter(([table]) => !tables.includes(table)));

describe('a device', () => {
  it('goes offline when its agent is silent, and comes back with the next question for commands', async () => {
    await is('offline');
    const agent = new Api(world.product.baseUrl, tenant.agentToken);
    const { lastSeenAt } = await world.admin.must<{ lastSeenAt: string }>('GET', `/devices/${tenant.deviceId}`);
    await agent.must('GET', `/agents/${tenant.deviceId}/commands?waitSeconds=0`);
    await is('online');
    expect(
      Date.parse((await world.admin.must<{ lastSeenAt: string }>('GET', `/devices/${tenant.deviceId}`)).lastSeenAt),
    ).toBeGreaterThan(Date.parse(lastSeenAt));
    await until(
      async () =>
        (
          await sql<{ status: string }>(world, 'pam', 'SELECT status FROM device_ref WHERE device_id = $1', [
            tenant.deviceId,
          ])
        )[0]?.status === 'online',
    );
  });

  const is = (status: string) =>
    until(
      async () => (await world.admin.must<{ status: string }>('GET', `/devices/${tenant.deviceId}`)).status === status,
      60,
    );
});

describe('the purge of an archived organisation', () => {
  let neighbour: Tenant;
  let api: Api;
  let person: Person;
  const backups = mkdtempSync(join(tmpdir(), 'gatehouse-backups-'));
  /** The rows at the time of the backup. */
  let kept: Record<string, number>;
  afterAll(() => rmSync(backups, { recursive: true }));

  const operated = (...words: string[]): ReturnType<typeof operate> => {
    const { directory, endpoints } = world.product;
    const owners = ALL_DATABASES.map((name) => [databaseSettings(name).owner, endpoints.databases[name]?.owner ?? '']);
    const env = { GATEHOUSE_STACK_DIRECTORY: directory, PG_PROGRAMS: programs ?? '' };
    return operate({ ...env, ...(Object.fromEntries(owners) as Record<string, string>) }, ...words);
  };
  const restored = (...words: string[]): ReturnType<typeof operate> => {
    const options = { from: backups, organization: tenant.orgId, scratch: world.backing.postgres.url };
    const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    return operated('restore-organization', ...given, '--as', 'ada@example.com', '--ticket', 'OPS-7', ...words);
  };

  beforeAll(async () => {
    neighbour = await makeOrganization(world.admin, tenant.partnerId, `neighbour-${randomUUID().slice(0, 8)}`);
    await furnish(world, neighbour);
    person = await furnish(world, tenant);
    api = await partnerAdministrator(world, tenant.partnerId);
    const { orgId } = tenant;
    await addContacts(BATCH + 1);
    if (programs !== null) {
      await sql(world, 'identity', 'UPDATE sso_domains SET verified_at = now() WHERE org_id = $1', [orgId]);
      kept = await rowsOf(orgId);
      expect(await operated('backup', '--to', backups)).toMatchObject({ code: 0 });
    }
    await addContacts(BULK);
    const columns = 'elevation_requests (id, partner_id, org_id, device_id, device_hostname, flow_type, status)';
    await addRows('pam', BULK, columns, `'${tenant.deviceId}', 'pc', 'uac_intercept', 'denied'`);
  }, 240_000);

  const addRows = (database: string, count: number, columns: string, values: string): Promise<unknown> =>
    sql(
      world,
      database,
      `INSERT INTO ${columns} SELECT gen_random_uuid(), $1, $2, ${values} FROM generate_series(1, ${count}) AS n`,
      [tenant.partnerId, tenant.orgId],
    );
  const addContacts = (count: number) =>
    addRows('tenancy', count, 'contacts (id, partner_id, org_id, name)', `'person ' || n`);

  it('reaches every table of every service, through kill -9; what others have, and the audit, stay', async () => {
    await api.must('POST', `/orgs/organizations/${tenant.orgId}/archive`, { retentionDays: 1 });
    await until(
      async () => (await sql(world, 'pam', 'SELECT FROM device_commands WHERE org_id = $1', [tenant.orgId])).length > 0,
    );
    const [before, theirs] = [await rowsOf(tenant.orgId), await rowsOf(neighbour.orgId)];
    const declared = (
      await Promise.all(
        DATABASES.map(async (database) =>
          (
            await sql<{ name: string }>(
              world,
              database,
              `SELECT DISTINCT table_name AS name FROM information_schema.columns WHERE table_schema = 'public'
                AND column_name = 'org_id' AND table_name IN (SELECT relname FROM pg_class WHERE relkind IN ('r', 'p')
                AND NOT relispartition)`,
            )
          ).map(({ name }) => `${database}.${name}`),
        ),
      )
    ).flat();
    expect(
      declared.filter((table) => !(table in before) && ![...RESTLESS, 'tenancy.organization_runs'].includes(table)),
    ).toEqual([]);
    const audited = await auditedIds(api, tenant.orgId, 'contact.create');
    expect(audited.length).toBeGreaterThan(0);

    await sql(world, 'tenancy', 'UPDATE organizations SET purge_at = now() WHERE id = $1', [tenant.orgId]);
    await until(async () => (await statusOf()) === 'purging');
    await killed(world, 'pam');
    expect(
      await until(async () => {
        const answer = await api.call('POST', `/orgs/organizations/${tenant.orgId}/restore`);
        return answer.status !== 503 && answer;
      }),
    ).toMatchObject({ status: 410, body: { code: 'purge_started' } });
    const dice = new Dice(process.env['GATEHOUSE_SEED'] ?? '');
    for (const victim of ['tenancy', 'pam', 'identity']) {
      await pause(300 + dice.below(700));
      await killed(world, victim);
    }
    await until(
      async () =>
        (
          await sql(
            world,
            'tenancy',
            `SELECT FROM organization_runs WHERE org_id = $1 AND kind = 'purge' AND state = 'completed'`,
            [tenant.orgId],
          )
        ).length === 1,
      150,
    );

    await until(
      async () =>
        (await sql(world, 'pam', 'SELECT FROM org_ref WHERE org_id = $1 AND deleted', [tenant.orgId])).length === 1,
      30,
    );
    expect(without(await rowsOf(tenant.orgId), ...REMEMBERED)).toEqual({});
    const settled = [...RESTLESS, ...REMEMBERED];
    expect(without(await rowsOf(neighbour.orgId), ...settled)).toEqual(without(theirs, ...settled));

    await until(async () => (await auditedIds(api, tenant.orgId, 'organization.purge')).length === 1, 30);
    expect(await auditedIds(api, tenant.orgId, 'contact.create')).toEqual(audited);
    expect(await world.admin.must('GET', `/audit-logs/verify?chain=${tenant.partnerId}`)).toMatchObject({
      valid: true,
    });
    expect((await api.call('GET', `/orgs/organizations/${tenant.orgId}`)).status).toBe(404);
  }, 240_000);

  const noneOf = async (): Promise<void> => expect(without(await rowsOf(tenant.orgId), ...REMEMBERED)).toEqual({});
  const refusal = (...reasons: string[]) => ({
    code: 1,
    output: expect.stringMatching(new RegExp(['nothing is restored:', ...reasons].join('[^]*'))),
  });

  /** @returns how to remove the row again */
  async function taken(database: string, insert: string, ...values: unknown[]): Promise<() => Promise<unknown>> {
    const [row] = await sql<Made>(world, database, `${insert} RETURNING id`, values);
    const table = /INTO (\w+)/.exec(insert)?.[1] ?? '';
    return () => sql(world, database, `DELETE FROM ${table} WHERE id = $1`, [row?.id]);
  }

  itRestores(
    'R-115 an organisation that collides with what the product has is not restored, in no database',
    async () => {
      await sql(
        world,
        'identity',
        'DELETE FROM users u WHERE NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id)',
      );
      const { partnerId, orgId } = neighbour;
      const domain = `${tenant.orgId.slice(-8)}.example`;
      const id = randomUUID();

      const undo = [
        await taken('pam', `INSERT INTO migrations (timestamp, name) VALUES (1, 'Later1')`),
        await taken(
          'tenancy',
          `INSERT INTO organizations (id, partner_id, name, slug)
            SELECT $1, partner_id, name, slug FROM organizations WHERE id = $2`,
          id,
          tenant.orgId,
        ),
        await taken(
          'identity',
          `INSERT INTO users (id, email, name, status) VALUES ($1, $2, 'X', 'active')`,
          id,
          person.email,
        ),
      ];
      const first = await restored();
      expect(first).toMatchObject(refusal('user_email_unique', 'pam: .*another release', 'organization_slug_unique'));
      for (const each of undo) await each();

      const again = [
        await taken(
          'identity',
          `INSERT INTO sso_domains (id, partner_id, org_id, domain, token, verified_at)
            VALUES ($1, $2, $3, $4, 'x', now())`,
          id,
          partnerId,
          orgId,
          domain,
        ),
        await taken(
          'tenancy',
          `INSERT INTO devices (id, partner_id, org_id, site_id, hostname, os_type, status)
            VALUES ($1, $2, $3, $4, 'x', 'windows', 'decommissioned')`,
          tenant.deviceId,
          partnerId,
          orgId,
          neighbour.siteId,
        ),
      ];
      const second = await restored('--check');
      expect(second).toMatchObject(refusal(`has verified the domain ${domain}`, 'devices_pkey'));
      for (const each of again) await each();

      await sql(world, 'tenancy', 'UPDATE partners SET deleted_at = now() WHERE id = $1', [partnerId]);
      expect(await restored()).toMatchObject(refusal(`the partner ${partnerId} is not there`));
      await sql(world, 'tenancy', 'UPDATE partners SET deleted_at = NULL WHERE id = $1', [partnerId]);
      expect(await restored('--organization', orgId)).toMatchObject(
        refusal('rows of .* are there', 'the organisation is there'),
      );
      expect(await restored('--organization', id)).toMatchObject(refusal('does not have the organisation'));

      await sql(world, 'pam', 'CREATE TABLE novelties (org_id uuid)');
      const unknown = await restored();
      expect(unknown).toMatchObject({ code: 1, output: expect.stringContaining('novelties is not known') });
      await sql(world, 'pam', 'DROP TABLE novelties');
      await noneOf();
    },
    300_000,
  );

  itRestores(
    'R-116 an organisation is restored from a backup; what it had granted has ended',
    async () => {
      const checked = await restored('--check');
      expect(checked).toMatchObject({ code: 0, output: expect.stringContaining('nothing was changed') });
      process.stdout.write(`one organisation: ${/.* rows as they were .*/.exec(checked.output)?.[0] ?? ''}\n`);
      await noneOf();

      await sql(
        world,
        'tenancy',
        `CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the power is gone'; END $$;
       CREATE CONSTRAINT TRIGGER fails AFTER UPDATE ON organizations DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW EXECUTE FUNCTION fails()`,
      );
      const failed = await restored();
      expect(failed).toMatchObject({ code: 1, output: expect.stringContaining('run the command again') });
      await sql(world, 'tenancy', 'DROP FUNCTION fails CASCADE');
      const done = await restored();
      expect(done).toMatchObject({ code: 0, output: expect.stringContaining('pam: an earlier run has restored it') });

      const ignored = [...RESTLESS, ...REMEMBERED, ...NOT_RESTORED, 'pam.rulebook_instants'];
      expect(without(await rowsOf(tenant.orgId), ...ignored)).toEqual(without(kept, ...ignored));
      await until(async () => (await api.call('GET', `/pam/config?orgId=${tenant.orgId}`)).status === 200);
      const { data: contacts } = await api.must<{ data: object[] }>(
        'GET',
        `/orgs/organizations/${tenant.orgId}/contacts`,
      );
      expect(contacts.length).toBeGreaterThan(0);
      const member = await until(async () => world.admin.as('').signIn(person));
      expect(await member.must('GET', `/devices/${tenant.deviceId}`)).toMatchObject({ status: 'offline' });
      const open = `SELECT FROM elevation_requests
        WHERE org_id = $1 AND status NOT IN ('denied', 'expired', 'revoked')`;
      expect(await sql(world, 'pam', open, [tenant.orgId])).toEqual([]);
      const agent = new Api(world.product.baseUrl, tenant.agentToken);
      expect((await agent.call('GET', `/agents/${tenant.deviceId}/commands?waitSeconds=0`)).status).toBe(401);

      const text = `SELECT * FROM audit_entries
        WHERE org_id = $1 AND action = 'organization.restore' AND result = 'success'`;
      const entries = await until(async () => {
        const found = await sql(world, 'audit', text, [tenant.orgId]);
        return found.length > 0 && found;
      });
      expect(entries).toMatchObject([
        { actor_name: 'ada@example.com', actor_label: 'operator', details: { ticket: 'OPS-7' } },
      ]);
      expect(await world.admin.must('GET', `/audit-logs/verify?chain=${tenant.partnerId}`)).toMatchObject({
        valid: true,
      });
    },
    300_000,
  );

  const statusOf = async (): Promise<string | undefined> =>
    (
      await sql<{ status: string }>(world, 'tenancy', 'SELECT status FROM organizations WHERE id = $1', [tenant.orgId])
    )[0]?.status;
});

/** Rows that a restoration copies at a time. */
const BATCH = 2_000;
/** Rows that make a purge long enough to be killed within; what is restored from the backup has fewer. */
const BULK = 15_000;

interface Made {
  readonly id: string;
}
