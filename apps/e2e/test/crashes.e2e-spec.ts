import { SERVICE_NAMES } from '@gatehouse/contracts-core';
import { Api } from '@gatehouse/stack';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  acknowledged,
  auditedIds,
  makeTenant,
  outboxesAreEmpty,
  sql,
  startWorld,
  type Tenant,
  until,
  type World,
} from './world.ts';

describe('a service that dies by kill -9 under load', () => {
  let world: World;
  let tenant: Tenant;
  beforeAll(async () => {
    world = await startWorld();
    tenant = await makeTenant(world.admin);
  });
  afterAll(() => world.stop(), 60_000);

  it.each(SERVICE_NAMES)('loses no acknowledged write and doubles no effect: %s', async (victim) => {
    const ledger: Ledger = { sites: [], rules: [], reports: [] };
    let over = false;
    const writers = Promise.all([1, 2, 3].map(() => write(ledger, () => over)));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    process.kill(world.product.pidOf(victim), 'SIGKILL');
    const before = ledger.reports.length;
    await until(async () => ledger.reports.length > before + 5, 60);
    over = true;
    await writers;

    const found = async (database: string, table: string, ids: string[]): Promise<number> =>
      (await sql(world, database, `SELECT FROM ${table} WHERE id = ANY ($1::uuid[])`, [ids])).length;
    expect(await found('tenancy', 'sites', ledger.sites)).toBe(new Set(ledger.sites).size);
    expect(await found('pam', 'pam_rules', ledger.rules)).toBe(new Set(ledger.rules).size);
    expect(await found('pam', 'elevation_requests', ledger.reports)).toBe(new Set(ledger.reports).size);
    const names = await sql(
      world,
      'tenancy',
      `SELECT name FROM sites WHERE name LIKE 'crash %' GROUP BY name HAVING count(*) > 1`,
    );
    expect(names).toEqual([]);

    await until(() => outboxesAreEmpty(world), 30);
    for (const [action, ids] of [
      ['site.create', ledger.sites],
      ['pam.rule.create', ledger.rules],
      ['pam.elevation_request.submit', ledger.reports],
    ] as const) {
      await until(
        async () =>
          ids.every((id) => auditedOf.get(action)?.has(id)) ||
          (await readAudit(action), ids.every((id) => auditedOf.get(action)?.has(id))),
        30,
      );
      expect(auditedTwice.get(action)).toEqual([]);
    }
  });

  const auditedOf = new Map<string, Set<string>>();
  const auditedTwice = new Map<string, string[]>();
  async function readAudit(action: string): Promise<void> {
    const ids = await auditedIds(world.admin, tenant.orgId, action);
    auditedOf.set(action, new Set(ids));
    auditedTwice.set(
      action,
      ids.filter((id, at) => ids.indexOf(id) !== at),
    );
  }

  it('leaves a chain that verifies', async () => {
    expect(await world.admin.must('GET', `/audit-logs/verify?chain=${tenant.partnerId}`)).toMatchObject({
      valid: true,
    });
  });

  async function write(ledger: Ledger, isOver: () => boolean): Promise<void> {
    const agent = new Api(world.product.baseUrl, tenant.agentToken);
    while (!isOver()) {
      const name = `crash ${randomUUID()}`;
      const site = await acknowledged(world.admin, '/orgs/sites', { orgId: tenant.orgId, name });
      ledger.sites.push(String(site['id']));
      const { rule } = (await acknowledged(world.admin, '/pam/rules', {
        orgId: tenant.orgId,
        name,
        verdict: 'auto_deny',
        matchPathGlob: `C:\\never\\${name}`,
      })) as { rule: { id: string } };
      ledger.rules.push(rule.id);
      const report = {
        subject_username: 'ACME\\ada',
        target_executable_path: `C:\\Tools\\${name}.exe`,
        observed_at: new Date().toISOString(),
      };
      ledger.reports.push(
        String((await acknowledged(agent, `/agents/${tenant.deviceId}/elevation-requests`, report))['id']),
      );
    }
  }
});

/** Acknowledged writes by kind. */
interface Ledger {
  readonly sites: string[];
  readonly rules: string[];
  readonly reports: string[];
}
