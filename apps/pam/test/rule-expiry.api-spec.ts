import { RuleExpired, RuleExpiryNoticed } from '@gatehouse/contracts-pam';
import { PartnerChanged } from '@gatehouse/contracts-tenancy';
import { anOrgAdmin, aPartnerAdmin } from '@gatehouse/testing';
import { expect, describe, it } from '@jest/globals';
import { NotifyRuleExpiry } from '../src/rules/notify-rule-expiry.ts';
import { besidePam, type PamHarness } from './pam.harness.ts';

describe('the expiry of rules', () => {
  let pam: PamHarness;
  besidePam((started) => (pam = started));

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

  it('PAM-198 rules that end soon are listed over all organisations in reach, the first to end first', async () => {
    const [acme, other] = [await pam.tenant(), await pam.tenant()];
    const partner = pam.as(aPartnerAdmin(acme.partnerId));
    const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
    const make = async (tenant: typeof acme, name: string, days: number, more: object = {}): Promise<string> => {
      const body = { orgId: tenant.orgId, name, verdict: 'auto_approve', matchHash: 'cd'.repeat(32), ...more };
      const admin = pam.as(aPartnerAdmin(tenant.partnerId));
      return (await admin.post('/pam/rules').send({ ...body, expiresAt: inDays(days) })).body.rule.id as string;
    };
    const ofPartner = { orgId: undefined, ownerScope: 'partner', precedence: 'before', verdict: 'auto_deny' };
    const { partnerId } = acme;
    const state = { partnerId, name: 'Acme', slug: 'acme', status: 'active', deleted: false, version: 1 } as const;
    await pam.service.deliver(PartnerChanged, state);
    const week = await make(acme, 'A week', 6);
    const day = await make(acme, 'A day', 1);
    const shared = await make(acme, 'Of the partner', 3, ofPartner);
    await make(acme, 'A month', 30);
    await make(acme, 'Switched off', 2, { enabled: false });
    await make(other, 'Elsewhere', 2);
    await pam.service.sql(`UPDATE pam_rules SET expires_at = now() - interval '1 hour' WHERE id = $1`, [
      await make(acme, 'Over', 2),
    ]);

    const soon = `expiresBefore=${inDays(7)}`;
    const listed = async (caller: typeof partner, more = '') => {
      const { status, body } = await caller.get(`/pam/rules?${soon}${more}`);
      return status === 200 ? (body.rules as { id: string }[]).map(({ id }) => id) : body.code;
    };
    expect(await listed(partner)).toEqual([day, shared, week]);
    expect(await listed(partner, `&orgId=${acme.orgId}`)).toEqual([day, week]);
    expect(await listed(pam.as(anOrgAdmin(acme.partnerId, acme.orgId)))).toEqual([day, week]);
    expect((await partner.get(`/pam/rules?${soon}&limit=1`)).body.pagination.total).toBe(3);
    expect(await listed(partner, `&orgId=${other.orgId}`)).toBe('organization_not_found');
    expect(await listed(partner, '&scope=partner')).toBe('validation_failed');
    expect((await partner.get('/pam/rules?expiresBefore=soon')).body.code).toBe('validation_failed');
  });
});
