import { asService } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { bumpRulebook, CountRuleUse } from '@gatehouse/pam-store';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { aDevice, aReport, aRule, report, startIngest, type TestDevice } from './pam-ingest.harness.ts';

const ingest = await startIngest();
afterAll(() => ingest.stop());

describe('reports under rules of a partner', () => {
  let device: TestDevice;
  beforeEach(async () => {
    device = await aDevice(ingest);
  });

  it('WIDE-04 are decided by them in an organisation that is younger than the rule', async () => {
    const ruleId = await partnerRule({ precedence: 'before', verdict: 'auto_deny' });
    const young = await aDevice(ingest, { partnerId: device.partnerId });
    expect(await decided(young)).toEqual({ status: 'denied', ruleId });
    const stranger = await aDevice(ingest);
    expect(await decided(stranger)).toEqual({ status: 'pending', ruleId: null });
  });

  it('WIDE-06 stay denied above a question of the partner, and are asked about instead of granted', async () => {
    const [own, asks] = [
      await aRule(ingest, device, { match_signer: 'Acme Corp', verdict: 'auto_deny' }),
      await partnerRule({ precedence: 'before', verdict: 'require_approval' }),
    ];
    expect(await decided(device)).toEqual({ status: 'denied', ruleId: own });
    await ingest.sql(`UPDATE pam_rules SET verdict = 'auto_approve' WHERE id = $1`, [own]);
    await ingest.sql('UPDATE rulebook_versions SET version = version + 1 WHERE org_id = $1', [device.orgId]);
    expect(await decided(device)).toEqual({ status: 'pending', ruleId: asks });
  });

  it('are granted by a rule that comes after where none of the organisation matches, and counted there', async () => {
    const ruleId = await partnerRule({ precedence: 'after', verdict: 'auto_approve' });
    const other = await aDevice(ingest, { partnerId: device.partnerId });
    expect(await decided(device)).toEqual({ status: 'auto_approved', ruleId });
    expect(await decided(other)).toEqual({ status: 'auto_approved', ruleId });
    await ingest.service.app.get(CountRuleUse).store();
    const use = await ingest.sql<{ orgId: string; matches: number }>(
      'SELECT org_id AS "orgId", matches FROM pam_partner_rule_usage WHERE rule_id = $1 ORDER BY org_id',
      [ruleId],
    );
    expect(use).toEqual([device.orgId, other.orgId].sort().map((orgId) => ({ orgId, matches: 1 })));
    expect(await ingest.sql('SELECT FROM pam_rule_usage WHERE rule_id = $1', [ruleId])).toEqual([]);
  });

  it('PAM-197 are counted also when a rule that several organisations used is deleted within the minute', async () => {
    const deleted = await partnerRule({ precedence: 'after', verdict: 'auto_approve' });
    const other = await aDevice(ingest, { partnerId: device.partnerId });
    for (const each of [device, other]) expect(await decided(each)).toMatchObject({ ruleId: deleted });
    await ingest.sql('DELETE FROM pam_rules WHERE id = $1', [deleted]);
    const ruleId = await partnerRule({ precedence: 'after', verdict: 'auto_approve' });
    expect(await decided(device)).toMatchObject({ ruleId });
    await ingest.service.app.get(CountRuleUse).store();
    const used = 'SELECT rule_id AS "ruleId", matches FROM pam_partner_rule_usage WHERE partner_id = $1';
    expect(await ingest.sql(used, [device.partnerId])).toEqual([{ ruleId, matches: 1 }]);
  });

  it('WIDE-05 wait for a change of 2000 rulebooks, and none is lost', async () => {
    await ingest.sql(
      `WITH made AS (
         INSERT INTO org_ref SELECT (jsonb_populate_record(o, jsonb_build_object('org_id', gen_random_uuid()))).*
           FROM org_ref o, generate_series(1, 2000) WHERE o.org_id = $1 RETURNING org_id, partner_id)
       INSERT INTO rulebook_versions (org_id, partner_id, version) SELECT org_id, partner_id, 1 FROM made`,
      [device.orgId],
    );
    const statuses: string[] = [];
    let storming = true;
    const storm = Array.from({ length: 8 }, async () => {
      while (storming) {
        const answer = await report(ingest.asAgent(device.token), device.id, aReport());
        statuses.push(`${answer.status} ${answer.body.status}`);
      }
    });
    while (statuses.length < 20) await wait(10);
    await partnerRule({ precedence: 'before', verdict: 'auto_deny' });
    const changed = statuses.length;
    while (statuses.length < changed + 20) await wait(10);
    storming = false;
    await Promise.all(storm);
    expect(new Set(statuses)).toEqual(new Set(['201 pending', '201 denied']));
    expect(statuses.slice(changed + 8).every((status) => status === '201 denied')).toBe(true);
    const stored = await ingest.sql('SELECT FROM elevation_requests WHERE org_id = $1', [device.orgId]);
    expect(stored).toHaveLength(statuses.length);
  });

  const system = <T>(run: Parameters<NonNullable<typeof ingest.service.platform.store>['work']['background']>[1]) =>
    ingest.service.platform.store?.work.background(asService('pam'), run) as Promise<T>;

  /** A rule of the device's partner, written as the control plane writes it. */
  async function partnerRule(columns: { precedence: 'before' | 'after'; verdict: string }): Promise<string> {
    const [id, { partnerId }] = [newId(), device];
    await system(async (tx) => {
      await tx.query(
        `INSERT INTO pam_rules (id, partner_id, name, match_signer, precedence, verdict, opt_out)
         VALUES ($1, $2, 'partner', 'Acme Corp', $3, $4, 'none')`,
        [id, partnerId, columns.precedence, columns.verdict],
      );
      await bumpRulebook(tx, { partnerId, orgId: null }, { kind: 'rule', ids: [id], editedBy: null });
    });
    return id;
  }

  const decided = async (from: TestDevice): Promise<{ status: string; ruleId: string | null }> => {
    const { body } = await report(ingest.asAgent(from.token), from.id);
    const [row] = await ingest.sql<{ ruleId: string | null }>(
      'SELECT pam_rule_id AS "ruleId" FROM elevation_requests WHERE id = $1',
      [body.id],
    );
    return { status: body.status, ruleId: row?.ruleId ?? null };
  };
});
