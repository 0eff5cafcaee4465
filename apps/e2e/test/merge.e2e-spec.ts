import { Api } from '@gatehouse/stack';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { sharedWorld } from './shared-world.ts';
import { acknowledged, makeTenant, partnerAdministrator, sql, type Tenant, until, type SharedWorld } from './world.ts';

describe('merging an organisation into another of its partner', () => {
  let world: SharedWorld;
  let tenant: Tenant;
  beforeAll(async () => {
    world = await sharedWorld();
    tenant = await makeTenant(world.admin);
  });

  it('moves its rows in every service as the preview showed, and its audit stays readable through the survivor', async () => {
    const api = await partnerAdministrator(world, tenant.partnerId);
    const survivor = await world.admin.must<Made>('POST', '/orgs/organizations', {
      partnerId: tenant.partnerId,
      name: 'Survivor',
      slug: `survivor-${randomUUID().slice(0, 8)}`,
    });
    await world.admin.eventually('GET', `/pam/config?orgId=${survivor.id}`);
    const agent = new Api(world.product.baseUrl, tenant.agentToken);
    for (let at = 0; at < 5; at++)
      await acknowledged(agent, `/agents/${tenant.deviceId}/elevation-requests`, {
        subject_username: 'ACME\\ada',
        target_executable_path: `C:\\Tools\\${at}.exe`,
        observed_at: new Date().toISOString(),
      });
    const { name } = await api.must<{ name: string }>('GET', `/orgs/organizations/${tenant.orgId}`);

    const figures = async () =>
      (
        await api.must<{ data: { waiting: number; devices: number }[] }>(
          'GET',
          `/orgs/organizations/summary?ids=${tenant.orgId},${survivor.id}`,
        )
      ).data;
    expect(await figures()).toEqual([
      expect.objectContaining({ orgId: tenant.orgId, devices: 1, sites: 1, waiting: 5, active: 0, sso: 'none' }),
      expect.objectContaining({ orgId: survivor.id, devices: 0, sites: 0, people: 0, waiting: 0 }),
    ]);

    const preview = await api.must<{
      planToken: string;
      verdict: string;
      tables: { service: string; table: string; move: number }[];
    }>('POST', `/orgs/organizations/${tenant.orgId}/merge-preview`, { survivorId: survivor.id });
    expect(preview.verdict).toBe('ok');
    expect(preview.tables).toContainEqual(
      expect.objectContaining({ service: 'pam', table: 'elevation_requests', move: 5 }),
    );
    expect(new Set(preview.tables.map(({ service }) => service))).toEqual(
      new Set(['tenancy', 'identity', 'pam', 'notifier']),
    );

    const { jobId } = await api.must<{ jobId: string }>('POST', `/orgs/organizations/${tenant.orgId}/merge`, {
      survivorId: survivor.id,
      confirmName: name,
      planToken: preview.planToken,
    });
    const run = await until(async () => {
      const state = await api.must<{ state: string; error?: unknown }>(
        'GET',
        `/orgs/organizations/merge-runs/${jobId}`,
      );
      return ['completed', 'failed'].includes(state.state) && state;
    }, 60);
    expect(run).toMatchObject({ state: 'completed', orgName: name, survivorName: 'Survivor' });
    expect(await figures()).toMatchObject([{ orgId: survivor.id, devices: 1, waiting: 5 }]);

    const left = await Promise.all(
      [
        ['tenancy', 'sites'],
        ['tenancy', 'devices'],
        ['pam', 'elevation_requests'],
      ].map(([database = '', table = '']) =>
        sql(world, database, `SELECT FROM ${table} WHERE org_id = $1`, [tenant.orgId]),
      ),
    );
    expect(left.map((rows) => rows.length)).toEqual([0, 0, 0]);
    expect(await sql(world, 'pam', 'SELECT FROM elevation_requests WHERE org_id = $1', [survivor.id])).toHaveLength(5);
    expect((await api.call('GET', `/orgs/organizations/${tenant.orgId}`)).status).toBe(404);
    await until(
      async () =>
        (
          await api.must<{ data: unknown[] }>(
            'GET',
            `/audit-logs?orgId=${survivor.id}&action=pam.elevation_request.submit`,
          )
        ).data.length === 5,
      30,
    );
  });
});

interface Made {
  readonly id: string;
}
