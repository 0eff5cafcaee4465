import { asService } from '@gatehouse/contracts-core';
import { OrganizationChanged } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { IgnoredCountsRepository } from '@gatehouse/pam-store';
import { PERFORM, remarksOn, undeclaredTables } from '@gatehouse/tenant-data';
import { aSystemAdmin, TestService } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { pamService } from '../src/service.ts';
import { pamTenantData } from '../src/tenants/pam-tenant-data.repository.ts';

const service = await TestService.start(pamService);
afterAll(() => service.stop());

describe('an organisation that is merged or purged', () => {
  it('TEN-107 is warned of what ends with it, and of freezes that hold for the survivor from then on', async () => {
    const [orgId, targetId] = [newId(), newId()];
    await fill(orgId);
    await service.sql(
      `INSERT INTO pam_freezes (id, partner_id, org_id, level, target_id, mode, reason, created_by, created_by_name, done, asked)
        VALUES ($1, $2, $3, 'organization', $3, 'lockdown', 'incident', $1, 'Ann', true, true)`,
      [newId(), partnerId, orgId],
    );
    const { warnings } = await service.service.app
      .get(UnitOfWork)
      .backgroundRead(asService('pam'), (reader) => remarksOn(reader, pamTenantData, { sourceId: orgId, targetId }));
    expect(warnings).toEqual([
      expect.stringContaining('“rule”'),
      expect.stringContaining('“group”'),
      expect.stringContaining('“policy”'),
      expect.stringMatching(/hold for the whole surviving organisation .*“incident”/),
      expect.stringContaining('“approval policy”, “configuration”, “escalation policy”, “justification policy”'),
    ]);
    await perform('move', orgId, targetId);
    const { body } = await service.as(aSystemAdmin()).get(`/pam/freezes?orgId=${targetId}&active=true`);
    expect(body.freezes).toMatchObject([{ level: 'organization', targetId, reason: 'incident' }]);
  });

  it('has no table that does not say what becomes of it', async () => {
    expect(await undeclaredTables(pamTenantData, (text) => service.sql(text))).toEqual([]);
  });

  it('takes its history along, and leaves behind the rules that were meant for its own devices', async () => {
    const [source, target] = [newId(), newId()];
    await fill(source);
    await perform('move', source, target);
    await perform('finish', source, target);
    expect(await counted('elevation_requests', target)).toBe(3);
    expect(await counted('elevation_votes', target)).toBe(1);
    expect(await service.sql('SELECT target_level FROM software_policies WHERE org_id = $1', [target])).toEqual([
      { target_level: 'site' },
    ]);
    for (const { table } of pamTenantData.tables.filter(
      ({ policy, table: name }) => policy !== 'keep' && name !== 'partner_ref',
    ))
      expect({ table, rows: await counted(table, source) }).toEqual({ table, rows: 0 });
    const left = [
      'pam_rules',
      'signer_groups',
      'pam_config',
      'pam_approval_policies',
      'pam_justification_policies',
      'pam_escalation_policies',
    ];
    for (const table of left) expect(await counted(table, target)).toBe(0);
  });

  it('PAM-104 has the requests that it got by a merge explained under its rules of now', async () => {
    const [source, target] = [newId(), newId()];
    const merged = { orgId: target, partnerId, name: 'Survivor', status: 'active', deleted: false } as const;
    await service.deliver(OrganizationChanged, { ...merged, mergedIntoId: null, version: 1 });
    await fill(source);
    await service.sql('INSERT INTO rulebook_versions (org_id, partner_id, version) VALUES ($1, $2, 7)', [
      target,
      partnerId,
    ]);
    await service.sql('INSERT INTO rulebook_instants (org_id, partner_id, version, at) VALUES ($1, $2, 7, now())', [
      target,
      partnerId,
    ]);
    const [request] = await service.sql<{ id: string }>(
      'UPDATE elevation_requests SET rulebook_version = 7 WHERE org_id = $1 RETURNING id',
      [source],
    );
    await perform('move', source, target);
    const { body } = await service.as(aSystemAdmin()).get(`/pam/elevation-requests/${request?.id}/explanation`);
    expect(body.explanation).toMatchObject({ basis: 'current', rulebookVersion: null, currentVersion: 8 });
  });

  it.each(['finish', 'rollback'] as const)(
    'ends its merge (%s) though prompts of that hour are counted late',
    async (end) => {
      const [source, target, siteId, runId] = [newId(), newId(), newId(), newId()];
      const ignore = async (count: number): Promise<void> => {
        await service.sql(
          `INSERT INTO ignored_count_deltas (partner_id, org_id, site_id, at, count)
          VALUES ($1, $2, $3, '2026-11-01T10:00Z', $4)`,
          [partnerId, source, siteId, count],
        );
      };
      const sumUp = () => work().background(asService('pam'), (tx) => new IgnoredCountsRepository().sumUp(tx));
      await ignore(5);
      await sumUp();
      await ignore(1);
      await perform('move', source, target, runId);
      await sumUp();
      await perform(end, source, target, runId);
      const left = await service.sql('SELECT org_id, count::int FROM ignored_counts WHERE site_id = $1', [siteId]);
      expect(left).toEqual([end === 'finish' ? { org_id: target, count: 5 } : { org_id: source, count: 6 }]);
    },
  );

  it('leaves nothing after a purge', async () => {
    const source = newId();
    await fill(source);
    await perform('purge', source, null);
    for (const { table, policy } of pamTenantData.tables)
      if (policy !== 'keep') expect({ table, rows: await counted(table, source) }).toEqual({ table, rows: 0 });
  });

  const partnerId = newId();

  const counted = async (table: string, orgId: string): Promise<number> =>
    (await service.sql(`SELECT FROM ${table} WHERE org_id = $1`, [orgId])).length;

  async function fill(orgId: string): Promise<void> {
    const group = newId();
    await service.sql(`INSERT INTO signer_groups (id, partner_id, org_id, name) VALUES ($1, $2, $3, 'group')`, [
      group,
      partnerId,
      orgId,
    ]);
    await service.sql(
      `INSERT INTO pam_rules (id, partner_id, org_id, name, verdict, match_signer_group_id)
        VALUES ($1, $2, $3, 'rule', 'auto_approve', $4)`,
      [newId(), partnerId, orgId, group],
    );
    await service.sql('INSERT INTO pam_config (org_id, partner_id) VALUES ($1, $2)', [orgId, partnerId]);
    await service.sql('INSERT INTO pam_approval_policies (org_id, partner_id, default_approvals) VALUES ($1, $2, 2)', [
      orgId,
      partnerId,
    ]);
    await service.sql(
      `INSERT INTO pam_justification_policies (org_id, partner_id, reason_mode, min_letters, ticket_mode, ticket_masks,
        hold_prompts) VALUES ($1, $2, 'required', 5, 'off', '{}', true)`,
      [orgId, partnerId],
    );
    await service.sql(
      `INSERT INTO pam_escalation_policies (org_id, partner_id, steps, tell_device, tell_requester)
        VALUES ($1, $2, '[]', true, true)`,
      [orgId, partnerId],
    );
    await service.sql(
      `INSERT INTO elevation_votes (elevation_request_id, user_id, partner_id, org_id, user_name, minutes)
        VALUES ($1, $1, $2, $3, $4, 5)`,
      [newId(), partnerId, orgId, 'Ann'],
    );
    for (const level of ['organization', 'site']) {
      await service.sql(
        `INSERT INTO software_policies (id, partner_id, org_id, name, mode, target_level, target_id)
          VALUES ($1, $2, $3, 'policy', 'allowlist', $4, $5)`,
        [newId(), partnerId, orgId, level, newId()],
      );
    }
    for (let at = 0; at < 3; at++) {
      await service.sql(
        `INSERT INTO elevation_requests (id, partner_id, org_id, device_id, device_hostname, flow_type, status,
          pending_until) VALUES ($1, $2, $3, $4, 'pc', 'uac_intercept', 'pending', now() + interval '15 minutes')`,
        [newId(), partnerId, orgId, newId()],
      );
    }
  }

  const work = () => service.service.app.get(UnitOfWork);

  async function perform(
    step: keyof typeof PERFORM,
    sourceId: string,
    targetId: string | null,
    runId = newId(),
  ): Promise<void> {
    while (
      (await work().background(asService('pam'), (tx) =>
        PERFORM[step](tx, pamTenantData, { runId, step, sourceId, targetId }),
      )) > 0
    );
  }
});
