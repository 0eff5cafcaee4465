import { Dice } from './authority/dice.ts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Api } from '@gatehouse/stack';
import { randomUUID } from 'node:crypto';
import { killed, makeTenant, partnerAdministrator, sql, startWorld, type Tenant, until, type World } from './world.ts';

describe('a merge of a hundred thousand rows whose services are killed under it', () => {
  let world: World;
  let tenant: Tenant;
  let api: Api;
  let survivorId: string;

  beforeAll(async () => {
    world = await startWorld();
    tenant = await makeTenant(world.admin);
    api = await partnerAdministrator(world, tenant.partnerId);
    survivorId = (
      await world.admin.must<{ id: string }>('POST', '/orgs/organizations', {
        partnerId: tenant.partnerId,
        name: 'Survivor',
        slug: `survivor-${randomUUID().slice(0, 8)}`,
      })
    ).id;
    await sql(
      world,
      'tenancy',
      `INSERT INTO contacts (id, partner_id, org_id, name) SELECT gen_random_uuid(), $1, $2, 'person ' || n
        FROM generate_series(1, ${CONTACTS}) AS n`,
      [tenant.partnerId, tenant.orgId],
    );
    await sql(
      world,
      'pam',
      `INSERT INTO elevation_requests (id, partner_id, org_id, device_id, device_hostname, flow_type, status)
        SELECT gen_random_uuid(), $1, $2, $3, 'pc', 'uac_intercept', 'denied' FROM generate_series(1, ${REQUESTS})`,
      [tenant.partnerId, tenant.orgId, tenant.deviceId],
    );
  }, 240_000);
  afterAll(() => world.stop(), 60_000);

  it('goes on by itself: counts equal the preview, no row is lost or doubled, and reads go on during it', async () => {
    const preview = await api.must<Preview>('POST', `/orgs/organizations/${tenant.orgId}/merge-preview`, {
      survivorId,
    });
    const planned = (table: string): number => preview.tables.find((each) => each.table === table)?.move ?? -1;
    expect([planned('contacts'), planned('elevation_requests')]).toEqual([CONTACTS, REQUESTS]);

    const { name } = await api.must<{ name: string }>('GET', `/orgs/organizations/${tenant.orgId}`);
    const { jobId } = await api.must<{ jobId: string }>('POST', `/orgs/organizations/${tenant.orgId}/merge`, {
      survivorId,
      confirmName: name,
      planToken: preview.planToken,
    });
    let over = false;
    const readers = readUntil(() => over);
    const dice = new Dice(process.env['GATEHOUSE_SEED'] ?? '');
    for (let kill = 0; kill < KILLS; kill++) {
      await new Promise((resolve) => setTimeout(resolve, 200 + dice.below(1_500)));
      await killed(world, kill % 2 === 0 ? 'pam' : 'tenancy');
    }
    const run = await until(async () => {
      const answer = await api.must<Run & Record<string, unknown>>('GET', `/orgs/organizations/merge-runs/${jobId}`);
      return ['completed', 'failed'].includes(answer.state) && answer;
    }, 150);
    over = true;
    expect(await readers).toEqual([]);
    expect(run).toMatchObject({ state: 'completed' });
    for (const [database, table, rows] of [
      ['tenancy', 'contacts', CONTACTS],
      ['pam', 'elevation_requests', REQUESTS],
    ] as const) {
      expect({
        table,
        there: await counted(database, table, survivorId),
        left: await counted(database, table, tenant.orgId),
      }).toEqual({ table, there: rows, left: 0 });
    }
  }, 240_000);

  const counted = async (database: string, table: string, orgId: string): Promise<number> =>
    Number(
      (await sql<{ count: string }>(world, database, `SELECT count(*) FROM ${table} WHERE org_id = $1`, [orgId]))[0]
        ?.count,
    );

  /** Reads both organisations repeatedly until `over`. @returns the wrong answers */
  async function readUntil(over: () => boolean): Promise<string[]> {
    const wrong: string[] = [];
    for (; !over(); await new Promise((resolve) => setTimeout(resolve, 100))) {
      for (const id of [tenant.orgId, survivorId]) {
        const answer = await api.call('GET', `/orgs/organizations/${id}`).catch(() => null);
        if (answer && ![200, 503, 429].includes(answer.status) && !(answer.status === 404 && id === tenant.orgId))
          wrong.push(`${answer.status} ${JSON.stringify(answer.body)}`);
      }
    }
    return wrong;
  }
});

const CONTACTS = 40_000;
const REQUESTS = 60_000;
const KILLS = 5;

interface Preview {
  readonly planToken: string;
  readonly totalMovableRows: number;
  readonly tables: readonly { service: string; table: string; move: number; drop: number }[];
}

interface Run {
  readonly state: string;
}
