import { newId } from '@gatehouse/crypto';
import { anOrgAdmin, anOrgTechnician, aPartnerAdmin } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PamHarness, type Tenant } from './pam.harness.ts';

const pam = await PamHarness.start();
const acme = await pam.tenant();
afterAll(() => pam.stop());

describe('statistics', () => {
  it('PAM-156 count what became of requests and ignored prompts, and how fast people decided', async () => {
    const client = boss(acme);
    const ids = await Promise.all(Array.from({ length: 5 }, () => pam.request(acme)));
    const elsewhere = await pam.request(acme, { deviceId: acme.otherDeviceId });
    const [quick, slow, denied] = ids;
    for (const [id, decision] of [
      [quick, 'approve'],
      [slow, 'approve'],
      [denied, 'deny'],
      [elsewhere, 'deny'],
    ])
      await client.post(`/pam/elevation-requests/${id}/respond`).send({ decision }).expect(200);
    const took = `UPDATE elevation_requests SET requested_at = decided_at - make_interval(secs => $2) WHERE id = $1`;
    await pam.service.sql(took, [quick, 10]);
    await pam.service.sql(took, [denied, 20]);
    await pam.service.sql(took, [slow, 100]);
    await pam.service.sql(took, [elsewhere, 100]);
    await pam.service.sql(
      `INSERT INTO ignored_counts (partner_id, org_id, site_id, at, count)
        VALUES ($1, $2, $3, date_trunc('hour', now(), 'UTC'), 7)`,
      [acme.partnerId, acme.orgId, acme.siteId],
    );
    await pam.service.sql(`INSERT INTO ignored_count_deltas VALUES ($1, $2, $3, date_trunc('hour', now(), 'UTC'), 2)`, [
      acme.partnerId,
      acme.orgId,
      acme.siteId,
    ]);
    const { body } = await client.get('/pam/statistics').expect(200);
    expect(body.buckets).toHaveLength(31);
    expect(body.buckets.at(-1)).toEqual({ from: today(), ...none, approved: 2, denied: 2, ignored: 9, pending: 2 });
    expect(body.buckets[0]).toMatchObject(none);
    expect(body).toMatchObject({ success: true, medianSecondsToDecision: 60, p95SecondsToDecision: 100 });
    const atSite = await client.get(`/pam/statistics?siteId=${acme.siteId}&from=${today()}`).expect(200);
    expect(atSite.body.buckets).toEqual([{ from: today(), ...none, approved: 2, denied: 1, ignored: 9, pending: 2 }]);
    expect(atSite.body.medianSecondsToDecision).toBe(20);
    const confined = pam.as(anOrgTechnician(acme.partnerId, acme.orgId, { sites: [acme.otherSiteId] }));
    const own = await confined.get(`/pam/statistics?from=${today()}`).expect(200);
    expect(own.body.buckets).toEqual([{ from: today(), ...none, denied: 1 }]);
    const wide = await pam.as(aPartnerAdmin(acme.partnerId)).get(`/pam/statistics?from=${today()}&bucket=week`);
    expect(wide.body.buckets).toMatchObject([{ approved: 2, denied: 2, ignored: 9 }]);
    const ever = await client.get('/pam/statistics?from=1969-12-31T00:00:00Z&bucket=month').expect(200);
    expect(ever.body.buckets.at(-1)).toMatchObject({ approved: 2, denied: 2, ignored: 9, pending: 2 });
  });

  it('are empty where nothing happened', async () => {
    const { body } = await boss(await pam.tenant()).get(
      '/pam/statistics?from=2026-01-30T12:00:00Z&to=2026-02-02T00:00:00Z',
    );
    const days = ['2026-01-30', '2026-01-31', '2026-02-01'].map((day) => ({ from: `${day}T00:00:00.000Z`, ...none }));
    expect(body).toEqual({
      success: true,
      buckets: days,
      medianSecondsToDecision: null,
      p95SecondsToDecision: null,
    });
  });

  it.each([
    ['?bucket=minute', 400, 'validation_failed'],
    ['?from=yesterday', 400, 'validation_failed'],
    ['?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', 400, 'validation_failed'],
    ['?from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z', 400, 'validation_failed'],
    ['?by=day', 400, 'validation_failed'],
    [`?orgId=${newId()}`, 404, 'organization_not_found'],
    [`?siteId=${newId()}`, 404, 'site_not_found'],
  ])('refuse %s', async (query, status, code) => {
    expect((await boss(acme).get(`/pam/statistics${query}`)).body).toMatchObject({ status, code });
  });

  it('refuse a site beyond the caller’s', async () => {
    const confined = pam.as(anOrgTechnician(acme.partnerId, acme.orgId, { sites: [acme.siteId] }));
    const answer = await confined.get(`/pam/statistics?siteId=${acme.otherSiteId}`);
    expect(answer.body).toMatchObject({ status: 403, code: 'site_access_denied' });
  });

  const boss = (tenant: Tenant) => pam.as(anOrgAdmin(tenant.partnerId, tenant.orgId));
  const none = { autoApproved: 0, approved: 0, denied: 0, expired: 0, ignored: 0, pending: 0 };
});

const DAY_MS = 86_400_000;
const today = (): string => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS).toISOString();
