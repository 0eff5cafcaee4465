import { RuleExpired, RuleExpiryNoticed } from '@gatehouse/contracts-pam';
import { anOrgAdmin } from '@gatehouse/testing';
import { afterAll, beforeAll, expect, describe, it } from '@jest/globals';
import { NotifyRuleExpiry } from '../src/rules/notify-rule-expiry.ts';
import { PamHarness } from './pam.harness.ts';

describe('the expiry of rules', () => {
  let pam: PamHarness;
  beforeAll(async () => {
    pam = await PamHarness.start();
  });
  afterAll(() => pam.stop());

  it('PAM-225 gives notice seven days before, one day before, and at the end, each once', async () => {
    const acme = await pam.tenant();
    const admin = pam.as(anOrgAdmin(acme.partnerId, acme.orgId));
    const sweep = pam.service.service.app.get(NotifyRuleExpiry);
    const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
    const body = { name: 'For a month', verdict: 'auto_approve', matchHash: 'ab'.repeat(32), expiresAt };
    const { id } = (await admin.post('/pam/rules').send(body)).body.rule;
    const isLeft = (interval: string) =>
      pam.service.sql(`UPDATE pam_rules SET expires_at = now() + $2::interval WHERE id = $1`, [id, interval]);
    const told = async (): Promise<[noticed: number, expired: number]> => {
      // Two sweeps at once, as two replicas run them.
      await Promise.all([sweep.run(), sweep.run()]);
      const count = async (event: typeof RuleExpired | typeof RuleExpiryNoticed): Promise<number> =>
        (await pam.service.emitted(event)).filter(({ data }) => data.ruleId === id).length;
      return [await count(RuleExpiryNoticed), await count(RuleExpired)];
    };

    expect(await told()).toEqual([0, 0]);
    await isLeft('6 days 23 hours');
    expect(await told()).toEqual([1, 0]);
    expect(await told()).toEqual([1, 0]);
    await isLeft('23 hours');
    expect(await told()).toEqual([2, 0]);
    await isLeft('-1 second');
    expect(await told()).toEqual([2, 1]);
    expect(await told()).toEqual([2, 1]);
    const last = (await pam.service.emitted(RuleExpired)).find(({ data }) => data.ruleId === id);
    expect(last?.data).toMatchObject({ partnerId: acme.partnerId, orgId: acme.orgId });

    const soon = new Date(Date.now() + 3_600_000).toISOString();
    expect((await admin.patch(`/pam/rules/${id}`).send({ expiresAt: soon })).status).toBe(200);
    expect(await told()).toEqual([3, 1]);
    await admin.patch(`/pam/rules/${id}`).send({ enabled: false });
    await isLeft('-1 second');
    expect(await told()).toEqual([3, 1]);
  });
});
