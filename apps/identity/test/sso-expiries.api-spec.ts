import { SsoProviderExpiryNoticed } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { newSamlKey } from '@gatehouse/dev-idp';
import { anOrgAdmin, aPartnerTechnician } from '@gatehouse/testing';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DeliverMail } from '../src/mail/deliver-mail.ts';
import { ExpiriesService } from '../src/providers/watch/expiries.service.ts';
import { SamlHarness } from './saml.harness.ts';
import type { Tenant } from './sso.harness.ts';

const saml = await SamlHarness.start();
afterAll(() => saml.stop());

describe('what runs out at providers', () => {
  let tenant: Tenant;
  beforeEach(async () => {
    tenant = await saml.sso.tenant();
  });

  it('is listed with the days that are left, the first end first (SSO-129)', async () => {
    const ends = await newSamlKey({ validDays: 20 });
    const saved = await saml.provider(tenant, { certificate: ends.certificatePem });
    const { id, clientSecretExpiresAt } = await oidc(inDays(10));
    expect(await expiries()).toEqual([
      {
        kind: 'client_secret',
        providerId: id,
        providerName: 'OIDC',
        orgId: tenant.orgId,
        partnerId: tenant.partnerId,
        expiresAt: clientSecretExpiresAt,
        daysLeft: 10,
      },
      expect.objectContaining({ kind: 'certificate', providerId: saved, daysLeft: 20 }),
    ]);
    expect(await expiries('?withinDays=10')).toHaveLength(1);
    expect(await expiries(`?orgId=${newId()}`)).toEqual([]);
    expect(await expiries('', (await saml.sso.tenant()).admin)).toEqual([]);
    const patch = (body: object) => admin().patch(`/sso/providers/${id}`).send(body);
    expect((await patch({ clientSecretExpiresAt: 'soon' })).body.code).toBe('validation_failed');
    expect((await patch({ clientSecret: 'new' })).body.data.clientSecretExpiresAt).toBeNull();
    const both = `${ends.certificatePem}\n${saml.key.certificatePem}`;
    await admin().patch(`/sso/providers/${saved}`).send({ certificate: both });
    expect(await expiries()).toEqual([]);
  });

  it('is told 30, 14, 7 and 1 days before, once for each value, by the clock of the database (SSO-130, CERT-06)', async () => {
    const service = saml.sso.service.service.app.get(ExpiriesService, { strict: false });
    const { id } = await oidc(inDays(40));
    await saml.sso.service.sql(`UPDATE sso_providers SET status = 'active' WHERE id = $1`, [id]);
    const certified = await saml.provider(tenant, {
      certificate: (await newSamlKey({ validDays: 40 })).certificatePem,
    });
    const events = async (of = id) =>
      (await saml.sso.service.emitted(SsoProviderExpiryNoticed))
        .filter(({ aggregateId }) => aggregateId === of)
        .map(({ data }) => data.daysLeft);
    const laterBy = (days: number) => service.noticeAt(new Date(Date.now() + days * DAY_MS));
    for (const days of [0, 9, 10.1, 10.2, 26.1, 20, 33.1, 39.1, 39.5, 5]) await laterBy(days);
    expect([await events(), await events(certified)]).toEqual([
      [30, 14, 7, 1],
      [30, 14, 7, 1],
    ]);
    do await saml.sso.service.service.app.get(DeliverMail, { strict: false }).round();
    while ((await saml.sso.service.sql('SELECT id FROM mail_outbox')).length > 0);
    const unfolded = saml.sso.identity.mails().map((mail) => mail.replaceAll('\r\n ', ' '));
    for (const subject of ['client secret of OIDC expires', 'signing certificate of SAML IdP expires'])
      expect(unfolded.filter((mail) => mail.includes(subject)).length).toBeGreaterThanOrEqual(4);
    await service.notice();
    expect(await events()).toHaveLength(4);
    await admin()
      .patch(`/sso/providers/${id}`)
      .send({ clientSecretExpiresAt: inDays(5) });
    await service.notice();
    await service.notice();
    expect(await events()).toEqual([30, 14, 7, 1, 5]);
  });

  it('is told with or without a link to renew it, as the owner’s settings say (SSO-132)', async () => {
    const read = (query = `?orgId=${tenant.orgId}`) => admin().get(`/sso/settings${query}`);
    expect((await read()).body).toEqual({ data: { renewLinkInAlerts: false } });
    const put = (body: object, query = `?orgId=${tenant.orgId}`) => admin().put(`/sso/settings${query}`).send(body);
    expect((await put({ renewLinkInAlerts: true })).body).toEqual({ data: { renewLinkInAlerts: true } });
    expect((await put({ renewLinkInAlerts: true, more: 1 })).body.code).toBe('validation_failed');
    expect((await put({})).body.code).toBe('validation_failed');
    expect((await read('?scope=partner')).body).toEqual({ data: { renewLinkInAlerts: false } });
    expect((await put({ renewLinkInAlerts: true }, `?orgId=${newId()}`)).body.code).toBe('organization_not_found');
    expect((await read()).body).toEqual({ data: { renewLinkInAlerts: true } });
  });

  it('shows its settings to readers who may not change them, and those of a frozen organisation (SSO-191)', async () => {
    const { partnerId, orgId } = tenant;
    const confined = anOrgAdmin(partnerId, orgId, { sites: [newId()] });
    const technician = aPartnerTechnician(partnerId);
    for (const [by, query] of [
      [confined, ''],
      [technician, `?orgId=${orgId}`],
      [technician, '?scope=partner'],
    ] as const) {
      const as = saml.sso.service.as(by);
      expect((await as.get(`/sso/settings${query}`)).body).toEqual({ data: { renewLinkInAlerts: false } });
      expect((await as.put(`/sso/settings${query}`).send({ renewLinkInAlerts: true })).status).toBe(403);
    }
    const stranger = saml.sso.service.as(anOrgAdmin(newId(), newId()));
    expect((await stranger.get(`/sso/settings?orgId=${orgId}`)).body.code).toBe('organization_not_found');
    await saml.sso.service.sql(`UPDATE org_ref SET status = 'archived' WHERE org_id = $1`, [orgId]);
    expect((await admin().get(`/sso/settings?orgId=${orgId}`)).status).toBe(200);
    const write = admin().put(`/sso/settings?orgId=${orgId}`).send({ renewLinkInAlerts: true });
    expect((await write).body.code).toBe('organization_frozen');
  });

  const admin = () => saml.sso.service.as(tenant.admin);
  const expiries = async (query = '', by = tenant.admin) =>
    (await saml.sso.service.as(by).get(`/sso/expiries${query}`)).body.data;
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  const oidc = async (clientSecretExpiresAt: string) =>
    (
      await admin()
        .post('/sso/providers')
        .send({ orgId: tenant.orgId, name: 'OIDC', type: 'oidc', clientSecret: 's', clientSecretExpiresAt })
    ).body.data;
});

const DAY_MS = 86_400_000;
