import { OrganizationChanged, PartnerChanged } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { aPartnerAdmin } from '@gatehouse/testing';
import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { besideAnIdp, SsoHarness, type ScriptedIdp, type Tenant } from './sso.harness.ts';

let idp: ScriptedIdp;
let sso: SsoHarness;
let tenant: Tenant;
besideAnIdp((made) => ({ idp, sso, tenant } = made));

describe('the login page', () => {
  it('learns the provider of a proven domain whose organisation enforces, alike for real and invented people (AUTH-02, AUTH-03)', async () => {
    const domain = `${newId()}.example`;
    const oldest = await sso.provider(tenant, idp, { name: 'Oldest' });
    await prove(tenant, domain);
    expect(await discover(`a@${domain}`)).toEqual({ sso: null });
    await sso.provider(tenant, idp, { name: 'Enforcing', enforceSSO: true });
    const expected = {
      sso: { providerName: 'Oldest', loginUrl: `/api/v1/sso/login/${tenant.orgId}`, enforceSSO: true },
    };
    await sso.user({ email: `real@${domain}`, partnerId: tenant.partnerId, orgId: tenant.orgId });
    expect([await discover(`real@${domain}`), await discover(`Invented@${domain.toUpperCase()}`)]).toEqual([
      expected,
      expected,
    ]);
    const [other, third] = [await sso.tenant(), await sso.tenant()];
    await prove(other, domain);
    await prove(third, domain);
    expect(await discover(`real@${domain}`)).toEqual({ sso: null });
    await sso.service.deliver(OrganizationChanged, {
      orgId: other.orgId,
      partnerId: other.partnerId,
      name: 'Gone',
      status: 'active',
      deleted: true,
      mergedIntoId: null,
      version: 2,
    });
    expect(await discover(`real@${domain}`)).toEqual({ sso: null });
    await sso.service.deliver(PartnerChanged, {
      partnerId: third.partnerId,
      name: 'Gone',
      slug: third.partnerId,
      status: 'active',
      deleted: true,
      version: 2,
    });
    expect(await discover(`real@${domain}`)).toEqual(expected);
    expect(oldest).toBeDefined();
  });

  it('learns nothing from allowed domains, from SAML, or from what is no address (AUTH-02, AUTH-05)', async () => {
    const domain = `${newId()}.example`;
    await sso.provider(tenant, idp, { allowedDomains: domain, enforceSSO: true });
    expect(await discover(`a@${domain}`)).toEqual({ sso: null });
    await prove(tenant, domain);
    await sso.service.sql(`UPDATE sso_providers SET type = 'saml' WHERE org_id = $1`, [tenant.orgId]);
    expect(await discover(`a@${domain}`)).toEqual({ sso: null });
    for (const email of ['', 'x', `@${domain}`, `a@b@${domain}`, `a@${domain}.`, 'ü@bücher.example'])
      expect(await discover(email)).toEqual({ sso: null });
    for (const email of [[], {}, 7, null, 'x'.repeat(10_240), 'a\u0000@b.example'])
      expect((await discover(email)).status).toBe(400);
  });

  it('is limited per client (AUTH-06)', async () => {
    const limited = await SsoHarness.start([idp.issuer], { RATE_LIMITS: 'discovery=3/300' });
    const statuses = [];
    const disguises = ['x-real-ip', 'forwarded', 'cf-connecting-ip', 'true-client-ip'];
    for (const [call, disguise] of disguises.entries())
      statuses.push(
        (
          await limited.anonymous
            .post('/auth/sso-discovery')
            .set(disguise, `1.2.3.${call}`)
            .send({ email: 'a@b.example' })
        ).status,
      );
    expect(statuses).toEqual([200, 200, 200, 429]);
    await limited.stop();
  });

  it('checks an organisation, and one without single sign-on looks like one that does not exist (AUTH-08)', async () => {
    expect((await sso.anonymous.get(`/sso/check/${tenant.orgId}`)).body).toEqual({ ssoEnabled: false });
    const id = await sso.provider(tenant, idp);
    expect((await sso.anonymous.get(`/sso/check/${tenant.orgId}`)).body).toEqual({
      ssoEnabled: true,
      provider: { id, name: 'Test IdP', type: 'oidc' },
      enforceSSO: false,
      loginUrl: `/api/v1/sso/login/${tenant.orgId}`,
    });
    expect((await sso.anonymous.get(`/sso/check/${newId()}`)).body).toEqual({ ssoEnabled: false });
    expect((await sso.anonymous.get('/sso/check/nonsense')).body).toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
  });

  it('shows branding and the partner button only where there is one partner and no hosting (AUTH-17)', async () => {
    const single = await SsoHarness.start([idp.issuer]);
    const its = await single.tenant();
    const partner = single.service.as(its.admin);
    expect(
      (
        await partner
          .put('/partners/me/login-branding')
          .send({ accentColor: '#1a2b3c', headline: 'Welcome', logoUrl: PNG })
      ).body,
    ).toEqual({ data: { accentColor: '#1a2b3c', headline: 'Welcome', logoUrl: PNG, version: 1 } });
    await single.provider(its, idp, { ownerScope: 'partner', defaultRoleId: undefined, name: 'Staff' });
    const expected = {
      branding: { accentColor: '#1a2b3c', headline: 'Welcome', logoUrl: PNG },
      partnerSso: { providerName: 'Staff', loginUrl: `/api/v1/sso/login/partner/${its.partnerId}`, enforceSSO: false },
    };
    expect((await single.anonymous.get('/auth/login-context')).body).toEqual(expected);
    const hosted = await SsoHarness.start([idp.issuer], { IS_HOSTED: 'true' }, { replicaOf: single.service });
    expect((await hosted.anonymous.get('/auth/login-context')).body).toEqual({ branding: null, partnerSso: null });
    await hosted.stop();
    await single.tenant();
    expect((await single.anonymous.get('/auth/login-context')).body).toEqual({ branding: null, partnerSso: null });
    const withoutBody = (await partner.put('/partners/me/login-branding')).body;
    expect(withoutBody).toMatchObject({ status: 400, code: 'validation_failed' });
    expect((await partner.put('/partners/me/login-branding').send({ headline: 'Only this' })).body.data).toEqual({
      accentColor: null,
      headline: 'Only this',
      logoUrl: null,
      version: 2,
    });
    await single.stop();
  });

  it('targets the oldest of several active partner providers, tells of enforcement by any of them, and leaves an https logo to browsers', async () => {
    const visits: unknown[] = [];
    const logoHost = createServer((socket) => visits.push(socket.destroy())).listen(0, '127.0.0.1');
    await once(logoHost, 'listening');
    const host = `127.0.0.1:${(logoHost.address() as AddressInfo).port}`;
    const single = await SsoHarness.start([idp.issuer, `https://${host}`]);
    const its = await single.tenant();
    const partner = single.service.as(its.admin);
    const shown = async () => (await single.anonymous.get('/auth/login-context')).body;
    const ofPartner = { ownerScope: 'partner', defaultRoleId: undefined };
    const oldest = await single.provider(its, idp, { ...ofPartner, name: 'Oldest' });
    const newer = await single.provider(its, idp, { ...ofPartner, name: 'Newer', enforceSSO: true });
    const button = { loginUrl: `/api/v1/sso/login/partner/${its.partnerId}`, enforceSSO: true };
    expect(await shown()).toEqual({ branding: null, partnerSso: { providerName: 'Oldest', ...button } });
    await partner.post(`/sso/providers/${oldest}/status`).send({ status: 'testing' });
    expect((await shown()).partnerSso).toEqual({ providerName: 'Newer', ...button });
    await partner.patch(`/sso/providers/${newer}`).send({ enforceSSO: false });
    expect((await shown()).partnerSso).toEqual({ providerName: 'Newer', ...button, enforceSSO: false });
    const logoUrl = `https://${host}/logo.png`;
    expect((await partner.put('/partners/me/login-branding').send({ logoUrl })).status).toBe(200);
    expect((await shown()).branding).toEqual({ logoUrl, accentColor: null, headline: null });
    expect(visits).toEqual([]);
    await single.stop();
    logoHost.close();
  });

  it.each([
    ['http://a.example/logo.png'],
    ['javascript:alert(1)'],
    ['data:image/svg+xml;base64,AAAA'],
    [`data:image/png;base64,${Buffer.from('<html>').toString('base64')}`],
    ['data:text/html,x'],
    ['https://a.example/"onload="x'],
    ['https://a.example/a b.png'],
    ['https://user:pass@a.example/logo.png'],
  ])('refuses the logo %s (SSRF-16)', async (logoUrl) => {
    expect((await asAdmin().put('/partners/me/login-branding').send({ logoUrl })).body).toMatchObject({
      status: 400,
      issues: [{ path: 'logoUrl' }],
    });
  });

  it('takes the address of a logo without the blanks that were pasted around it (SSO-80)', async () => {
    const logoUrl = 'https://a.example/logo.png';
    const { body } = await asAdmin()
      .put('/partners/me/login-branding')
      .send({ logoUrl: `\u00a0${logoUrl} \r\n` });
    expect(body.data?.logoUrl).toBe(logoUrl);
  });

  it('is branded by who has rights over the whole partner', async () => {
    for (const body of [{ accentColor: 'red' }, { accentColor: '#12345' }, { headline: 'x'.repeat(121) }])
      expect((await asAdmin().put('/partners/me/login-branding').send(body)).status).toBe(400);
    expect(
      (
        await asAdmin()
          .put('/partners/me/login-branding')
          .send({ logoUrl: 'x'.repeat(600_000) })
      ).status,
    ).toBe(413);
    expect(
      (
        await sso.service
          .as(aPartnerAdmin(tenant.partnerId, { orgs: [tenant.orgId] }))
          .put('/partners/me/login-branding')
          .send({})
      ).body.code,
    ).toBe('permission_denied');
    expect((await sso.service.as(sso.orgAdmin(tenant)).get('/partners/me/login-branding')).body.code).toBe(
      'scope_denied',
    );
    expect((await asAdmin().get('/partners/me/login-branding')).body).toEqual({ data: null });
  });

  const prove = (at: Tenant, domain: string) =>
    sso.service.sql(
      `INSERT INTO sso_domains (id, partner_id, org_id, domain, token, verified_at)
        VALUES ($1, $2, $3, $4, 'x', now())`,
      [newId(), at.partnerId, at.orgId, domain],
    );
  const discover = async (email: unknown) => (await sso.anonymous.post('/auth/sso-discovery').send({ email })).body;
});

const PNG = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1').toString('base64')}`;

const asAdmin = () => sso.service.as(tenant.admin);
