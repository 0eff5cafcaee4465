import { newId } from '@gatehouse/crypto';
import { anOrgAdmin, aPartnerAdmin, aPartnerTechnician, startFakeDns, stopwatch } from '@gatehouse/testing';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RecheckDomains } from '../src/providers/domains/recheck-domains.ts';
import { codeIn, errorIn, landing, SsoHarness, startScriptedIdp, type Tenant } from './sso.harness.ts';

let tenant: Tenant;

const [idp, dns] = await Promise.all([startScriptedIdp(), startFakeDns()]);
const sso = await SsoHarness.start([idp.issuer], { DNS_SERVERS: dns.address });
afterAll(async () => {
  await sso.stop();
  await Promise.all([idp.stop(), dns.stop()]);
});
beforeEach(async () => {
  idp.clear();
  tenant = await sso.tenant();
});

describe('providers', () => {
  it('come in nine presets', async () => {
    const { body } = await sso.service
      .as(anOrgAdmin(tenant.partnerId, tenant.orgId, { permissions: [] }))
      .get('/sso/presets');
    expect(body.data.map(({ id, type, placeholders }: Record<string, unknown>) => [id, type, placeholders])).toEqual([
      ['azure-ad', 'oidc', ['tenant']],
      ['okta', 'oidc', ['domain']],
      ['auth0', 'oidc', ['domain']],
      ['google', 'oidc', []],
      ['azure-ad-saml', 'saml', ['tenant']],
      ['okta-saml', 'saml', ['domain', 'appId']],
      ['onelogin-saml', 'saml', ['domain', 'appId']],
      ['adfs-saml', 'saml', ['adfs-server']],
      ['google-saml', 'saml', ['idpId']],
    ]);
  });

  it('start inactive with discovered endpoints, defaults, and without their secret', async () => {
    const { status, body } = await create({ issuer: idp.issuer, clientId: 'c', clientSecret: 'top-secret' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      orgId: tenant.orgId,
      partnerId: null,
      status: 'inactive',
      scopes: 'openid profile email',
      attributeMapping: { email: 'email', name: 'name' },
      autoProvision: true,
      enforceSSO: false,
      trustsIdpMfa: false,
      hasClientSecret: true,
      authorizationUrl: `${idp.issuer}/authorize`,
      tokenUrl: `${idp.issuer}/token`,
      userInfoUrl: `${idp.issuer}/userinfo`,
      jwksUrl: `${idp.issuer}/jwks`,
      configVersion: 1,
      warnings: [],
      createdBy: tenant.admin.userId,
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
    expect(JSON.stringify(body)).not.toContain('top-secret');
    expect(body.data).not.toHaveProperty('clientSecret');
    expect((await asAdmin().get(`/sso/providers/${body.data.id}`)).body).toEqual(body);
    expect((await asAdmin().get(`/sso/providers?orgId=${tenant.orgId}`)).body).toEqual({ data: [body.data] });
    expect((await sso.service.audits('sso.provider.create')).at(-1)).toMatchObject({
      orgId: tenant.orgId,
      details: { type: 'oidc', status: 'inactive' },
    });
  });

  it('take scopes and mapping from their preset', async () => {
    expect((await create({ preset: 'okta' })).body.data).toMatchObject({
      scopes: 'openid profile email groups',
      attributeMapping: { groups: 'groups', firstName: 'given_name' },
    });
    expect((await create({ preset: 'okta-saml' })).body).toMatchObject({ status: 400, code: 'validation_failed' });
    expect((await create({ preset: '' })).body.data.preset).toBeNull();
  });

  it.each([
    'http://idp.example.com',
    'https://127.0.0.1',
    'https://[::1]',
    'https://10.0.0.1',
    'https://169.254.169.254',
    'https://2130706433',
    'https://0x7f.1',
    'https://[::ffff:127.0.0.1]',
    'https://localhost',
    'https://inside.example.com',
    'https://nowhere.example.com',
  ])(
    'are created with a warning and without endpoints when discovery of %s is refused (SSRF-01, SSRF-02, SSRF-03, SSRF-06)',
    async (issuer) => {
      dns.records['inside.example.com'] = { A: ['10.0.0.1'] };
      const { status, body } = await create({ issuer, clientId: 'c', clientSecret: 's' });
      expect([status, body.data.warnings[0]?.code, body.data.tokenUrl, body.data.issuer]).toEqual([
        201,
        'oidc_discovery_failed',
        null,
        issuer,
      ]);
      expect(
        (await asAdmin().post(`/sso/providers/${body.data.id}/status`).send({ status: 'active' })).body,
      ).toMatchObject({ code: 'sso_provider_incomplete', missing: expect.arrayContaining(['tokenUrl']) });
      expect((await asAdmin().post(`/sso/providers/${body.data.id}/test`).send()).body.code).toBe(
        'oidc_discovery_failed',
      );
      const cleared = await asAdmin().patch(`/sso/providers/${body.data.id}`).send({ issuer: null });
      expect(cleared.body.data.warnings).toEqual([]);
    },
  );

  it.each([
    ['another issuer (OIDC-32)', (regular: object) => ({ ...regular, issuer: 'https://other.example' })],
    [
      'an inner token endpoint (SSRF-10)',
      (regular: object) => ({ ...regular, token_endpoint: 'https://10.0.0.1/token' }),
    ],
    ['a plain key set (SSRF-10)', (regular: object) => ({ ...regular, jwks_uri: 'http://public.example.com/jwks' })],
    [
      'an inner userinfo (SSRF-10)',
      (regular: object) => ({ ...regular, userinfo_endpoint: 'https://inside.example.com/u' }),
    ],
    ['no endpoints', () => ({})],
    ['a list', () => []],
    ['nothing readable', () => '<html>'],
  ])('refuse a discovery document with %s', async (_, body) => {
    dns.records['inside.example.com'] = { A: ['10.0.0.1'] };
    idp.always({ discovery: { body } });
    expect((await create({ issuer: idp.issuer })).body.data).toMatchObject({
      tokenUrl: null,
      jwksUrl: null,
      warnings: [{ code: 'oidc_discovery_failed' }],
    });
  });

  it('need a fresh discovery for another issuer, or keep everything', async () => {
    const {
      body: { data },
    } = await create({ issuer: idp.issuer, clientId: 'c', clientSecret: 's' });
    const refused = await asAdmin()
      .patch(`/sso/providers/${data.id}`)
      .send({ issuer: 'https://nowhere.example.com', name: 'Changed' });
    expect(refused.body).toMatchObject({ status: 400, code: 'oidc_discovery_failed' });
    expect((await asAdmin().get(`/sso/providers/${data.id}`)).body.data).toEqual(data);
  });

  it('refuse endpoints that lead inside (SSRF-11)', async () => {
    const {
      body: { data },
    } = await create({ issuer: idp.issuer });
    for (const field of ['authorizationUrl', 'tokenUrl', 'userInfoUrl', 'jwksUrl']) {
      expect(
        (
          await asAdmin()
            .patch(`/sso/providers/${data.id}`)
            .send({ [field]: 'https://10.0.0.1/x' })
        ).body,
      ).toMatchObject({ status: 400, issues: [{ path: field }] });
    }
  });

  it.each(['authorizationUrl', 'tokenUrl', 'userInfoUrl', 'jwksUrl'])(
    'are saved while their %s has no address yet, and end a sign-in until it has a public one (SSO-06)',
    async (endpoint) => {
      const id = await sso.provider(tenant, idp);
      const [url, inside] = ['https://nowhere.example.com/x', 'https://inside.example.com/x'];
      dns.records['inside.example.com'] = { A: ['10.0.0.1'] };
      const patch = (to: string) =>
        asAdmin()
          .patch(`/sso/providers/${id}`)
          .send({ [endpoint]: to });
      expect((await patch(inside)).body).toMatchObject({ status: 400, issues: [{ path: endpoint }] });
      expect((await patch(url)).body).toMatchObject({ data: { [endpoint]: url } });
      const answer = await sso.anonymous.get(`/sso/login/${tenant.orgId}`);
      expect([answer.status, landing(answer)]).toEqual([302, '/login?error=sso_error']);
    },
  );

  it.each(['authorizationUrl', 'tokenUrl', 'userInfoUrl', 'jwksUrl'])(
    'end a sign-in when their %s has moved inside since it was saved (SSRF-11)',
    async (endpoint) => {
      const id = await sso.provider(tenant, idp);
      dns.records['moved.example.com'] = { A: ['8.8.8.8'] };
      expect(
        (
          await asAdmin()
            .patch(`/sso/providers/${id}`)
            .send({ [endpoint]: 'https://moved.example.com/x' })
        ).status,
      ).toBe(200);
      dns.records['moved.example.com'] = { A: ['127.0.0.1'] };
      const answer = await sso.anonymous.get(`/sso/login/${tenant.orgId}`);
      expect([answer.status, landing(answer)]).toEqual([302, '/login?error=sso_error']);
    },
  );

  it('whose names do not resolve fail within 6 s, and hold up no sign-in of another tenant, with a password or without (R-38)', async () => {
    const id = await sso.provider(tenant, idp);
    dns.records['quiet.example.com'] = { A: ['8.8.8.8'] };
    expect(
      (await asAdmin().patch(`/sso/providers/${id}`).send({ tokenUrl: 'https://quiet.example.com/token' })).status,
    ).toBe(200);
    const other = await sso.tenant();
    await sso.provider(other, idp);
    const email = `person-${newId()}@corp.example`;
    await sso.user({ email, partnerId: other.partnerId, role: PARTNER_VIEWER, password: PASSWORD });
    const timed = async <T>(work: Promise<T>): Promise<{ answer: T; ms: number }> => {
      const spent = stopwatch();
      return { answer: await work, ms: spent() };
    };
    dns.silent.add('quiet.example.com');
    const waiting = Array.from({ length: 40 }, () =>
      timed(sso.anonymous.get(`/sso/login/${tenant.orgId}`).then(errorIn)),
    );
    const elsewhere = await timed(sso.signIn(other));
    const password = await timed(
      sso.anonymous
        .post('/auth/login')
        .send({ email, password: PASSWORD })
        .then(({ status }) => status),
    );
    expect([landing(elsewhere.answer), password.answer]).toEqual([expect.stringMatching(/#ssoCode=/), 200]);
    expect(Math.max(elsewhere.ms, password.ms)).toBeLessThan(2_000);
    for (const { answer, ms } of await Promise.all(waiting)) {
      expect(answer).toBe('sso_error');
      expect(ms).toBeLessThan(6_000);
    }
  });

  it('keep the secret when it is left out or empty, and count only real changes as another configuration', async () => {
    const {
      body: { data },
    } = await create({ issuer: idp.issuer, clientId: 'c', clientSecret: 's' });
    const patch = async (body: object) => (await asAdmin().patch(`/sso/providers/${data.id}`).send(body)).body;
    expect((await patch({ clientSecret: '', name: 'Renamed' })).data).toMatchObject({
      name: 'Renamed',
      hasClientSecret: true,
      configVersion: 1,
    });
    expect((await patch({ clientId: 'other', allowedDomains: ' A.example, b.example ' })).data).toMatchObject({
      configVersion: 2,
      allowedDomains: 'a.example,b.example',
    });
    expect((await patch({ clientSecret: 'new' })).data.configVersion).toBe(3);
    expect(
      (await patch({ orgId: newId(), ownerScope: 'partner' })).issues.map(({ path }: { path: string }) => path),
    ).toEqual(['orgId', 'ownerScope']);
    expect((await patch({ allowedDomains: 'not a domain' })).code).toBe('validation_failed');
    expect((await sso.service.audits('sso.provider.update')).at(-1)?.details).toEqual({
      changedFields: ['clientSecret'],
      changes: { clientSecret: { before: 'set', after: 'set anew' } },
    });
    expect((await patch({ attributeMapping: { name: 'name', groups: 'g', email: 'email' } })).data.configVersion).toBe(
      4,
    );
    expect(
      (await patch({ attributeMapping: { email: 'email', name: 'name', groups: 'g' }, enforceSSO: true })).data,
    ).toMatchObject({ configVersion: 4, enforceSSO: true });
    await patch({ enforceSSO: true });
    expect((await sso.service.audits('sso.provider.update')).at(-1)?.details).toEqual({
      changedFields: ['enforceSSO'],
      changes: { enforceSSO: { before: false, after: true }, stage: { before: 'off', after: 'enforce' } },
    });
  });

  it('offer only roles that their administrator may grant and that fit their owner', async () => {
    const limited = sso.service.as(
      anOrgAdmin(tenant.partnerId, tenant.orgId, { permissions: ['organizations:write'] }),
    );
    const of = (client: ReturnType<typeof asAdmin>, defaultRoleId: string, more: object = {}) =>
      client.post('/sso/providers').send({ orgId: tenant.orgId, name: 'IdP', type: 'oidc', defaultRoleId, ...more });
    expect((await of(limited, ORG_ADMIN)).body.code).toBe('role_not_grantable');
    expect((await of(asAdmin(), PARTNER_VIEWER)).body.code).toBe('validation_failed');
    expect((await of(asAdmin(), newId())).body.code).toBe('validation_failed');
    expect((await of(asAdmin(), PARTNER_VIEWER, { ownerScope: 'partner' })).status).toBe(201);
    expect((await of(asAdmin(), ORG_ADMIN)).body.data.defaultRoleConfiguredBy).toBe(tenant.admin.userId);
  });

  it('are 404 in another tenant, on every route', async () => {
    const {
      body: { data },
    } = await create({});
    const other = await sso.tenant();
    for (const principal of [other.admin, anOrgAdmin(tenant.partnerId, other.orgId)]) {
      const client = sso.service.as(principal);
      for (const call of [
        client.get(`/sso/providers/${data.id}`),
        client.patch(`/sso/providers/${data.id}`).send({ name: 'x' }),
        client.delete(`/sso/providers/${data.id}`),
        client.post(`/sso/providers/${data.id}/status`).send({ status: 'testing' }),
        client.post(`/sso/providers/${data.id}/test`).send(),
      ]) {
        expect((await call).body.code).toBe('sso_provider_not_found');
      }
      expect((await client.get(`/sso/providers?orgId=${tenant.orgId}`)).body).toEqual({ data: [] });
      expect(
        (await client.post('/sso/providers').send({ orgId: tenant.orgId, name: 'x', type: 'oidc' })).body.code,
      ).toBe('organization_not_found');
    }
  });

  it('are changed with organizations:write and a second factor only', async () => {
    const body = { orgId: tenant.orgId, name: 'x', type: 'oidc' };
    expect(
      (
        await sso.service
          .as(aPartnerAdmin(tenant.partnerId, { mfa: false }))
          .post('/sso/providers')
          .send(body)
      ).body.code,
    ).toBe('mfa_required');
    expect(
      (await sso.service.as(aPartnerTechnician(tenant.partnerId)).post('/sso/providers').send(body)).body.code,
    ).toBe('permission_denied');
    expect(
      (
        await sso.service
          .as(aPartnerAdmin(tenant.partnerId))
          .post('/sso/providers')
          .send({ ...body, orgId: undefined })
      ).body.code,
    ).toBe('org_required');
    expect(
      (
        await sso.service
          .as(sso.orgAdmin(tenant))
          .post('/sso/providers')
          .send({ ...body, orgId: undefined, defaultRoleId: undefined })
      ).body.data.orgId,
    ).toBe(tenant.orgId);
    expect(
      (
        await sso.service
          .as(sso.orgAdmin(tenant))
          .post('/sso/providers')
          .send({ ...body, ownerScope: 'partner' })
      ).body.code,
    ).toBe('scope_denied');
  });

  it('have exactly one owner, by storage', async () => {
    const {
      body: { data },
    } = await create({});
    await expect(
      sso.service.sql('UPDATE sso_providers SET owner_partner_id = partner_id WHERE id = $1', [data.id]),
    ).rejects.toThrow('provider_has_one_owner');
    await expect(sso.service.sql('UPDATE sso_providers SET org_id = NULL WHERE id = $1', [data.id])).rejects.toThrow(
      'provider_has_one_owner',
    );
  });

  it('are tested by discovery, which is recorded', async () => {
    const {
      body: { data },
    } = await create({ issuer: idp.issuer });
    expect((await asAdmin().post(`/sso/providers/${data.id}/test`).send()).body).toEqual({
      success: true,
      message: expect.any(String),
      discovery: {
        issuer: idp.issuer,
        authorizationEndpoint: `${idp.issuer}/authorize`,
        tokenEndpoint: `${idp.issuer}/token`,
        userInfoEndpoint: `${idp.issuer}/userinfo`,
        jwksUri: `${idp.issuer}/jwks`,
      },
    });
    expect((await sso.service.audits('sso.provider.test')).at(-1)).toMatchObject({
      result: 'success',
      resource: { id: data.id },
    });
  });
});

describe('a verified domain', () => {
  it('is proven by a TXT record, checked each day, and withdrawn after three misses', async () => {
    const created = await asAdmin().post('/sso/domains').send({ orgId: tenant.orgId, domain: 'Proof.Example' });
    expect(created.body.data).toMatchObject({
      domain: 'proof.example',
      verified: false,
      verifiedAt: null,
      recordName: '_gatehouse-verify.proof.example',
      recordValue: expect.stringMatching(/^gatehouse-domain-verify=[\w-]{43}$/),
    });
    const { id, recordName, recordValue } = created.body.data;
    expect(
      (await asAdmin().post('/sso/domains').send({ orgId: tenant.orgId, domain: 'proof.example' })).body.code,
    ).toBe('domain_taken');
    expect((await asAdmin().post(`/sso/domains/${id}/verify`).send()).body).toMatchObject({
      status: 400,
      code: 'domain_not_verified',
      recordName,
    });
    dns.records[recordName] = { TXT: ['unrelated', recordValue] };
    expect((await asAdmin().post(`/sso/domains/${id}/verify`).send()).body.data).toMatchObject({
      verified: true,
      verifiedAt: expect.any(String),
    });
    delete dns.records[recordName];
    const recheck = sso.service.service.app.get(RecheckDomains, { strict: false });
    const isVerified = async (): Promise<boolean> =>
      (await asAdmin().get(`/sso/domains?orgId=${tenant.orgId}`)).body.data[0].verified as boolean;
    const seen = [];
    for (let day = 0; day < 3; day++) {
      await sso.service.sql(
        `UPDATE sso_domains SET last_checked_at = now() - interval '25 hours',
          last_missed_at = last_missed_at - interval '25 hours' WHERE id = $1`,
        [id],
      );
      await recheck.recheck();
      seen.push(await isVerified());
    }
    expect(seen).toEqual([true, true, false]);
    expect((await sso.service.audits('sso.domain.verify')).map(({ result }) => result)).toEqual([
      'failure',
      'success',
      'failure',
    ]);
    expect((await asAdmin().delete(`/sso/domains/${id}`)).body).toEqual({ success: true });
    expect((await asAdmin().delete(`/sso/domains/${id}`)).body.code).toBe('sso_domain_not_found');
  });

  it('is looked for anew when a try that missed is repeated under its Idempotency-Key, and not once it was found', async () => {
    const { id, recordName, recordValue } = (
      await asAdmin().post('/sso/domains').send({ orgId: tenant.orgId, domain: 'repeated.example' })
    ).body.data;
    const verify = async () =>
      (await asAdmin().post(`/sso/domains/${id}/verify`).set('idempotency-key', id).send()).body;
    expect(await verify()).toMatchObject({ status: 400, code: 'domain_not_verified' });
    dns.records[recordName] = { TXT: [recordValue] };
    const verified = await verify();
    expect(verified.data).toMatchObject({ verified: true, verifiedAt: expect.any(String) });
    delete dns.records[recordName];
    expect(await verify()).toEqual(verified);
  });

  it.each(['com', 'co.uk', 'localhost', '127.0.0.1', 'a b.example', '-', 'x@y.example'])(
    'cannot be %s',
    async (domain) => {
      expect((await asAdmin().post('/sso/domains').send({ orgId: tenant.orgId, domain })).status).toBe(400);
    },
  );
});

describe('enforcement', () => {
  it('is switched on only after a sign-in has worked, unless forced; then passwords of its people end (AUTH-09, AUTH-14)', async () => {
    const id = await sso.provider(tenant, idp);
    const { email, userId } = await memberWithPassword();
    const signedIn = await sso.identity.login(email, PASSWORD);
    expect(signedIn.status).toBe(200);
    expect((await asAdmin().get(`/sso/providers/${id}/enforcement-preview`)).body).toMatchObject({
      data: { tested: false, withoutLink: 1, users: [{ userId, email, name: 'Known Person', linked: false }] },
    });
    const enforce = (query = '') => asAdmin().patch(`/sso/providers/${id}${query}`).send({ enforceSSO: true });
    expect((await enforce()).body).toMatchObject({ status: 409, code: 'sso_enforcement_untested' });
    idp.identity = { sub: newId(), email: `${newId()}@corp.example`, email_verified: true, name: 'First' };
    expect(codeIn(await sso.signIn(tenant))).toMatch(/^[\w-]{43}$/);
    expect((await enforce()).status).toBe(200);
    expect(await sso.identity.introspect(signedIn.body.accessToken)).toMatchObject({ active: false });
    const wrong = await sso.identity.login(email, 'another password entirely');
    const right = await sso.identity.login(email, PASSWORD);
    const { requestId: _w, ...wrongBody } = wrong.body;
    const { requestId: _r, ...rightBody } = right.body;
    expect([right.status, rightBody]).toEqual([401, wrongBody]);
    expect((await sso.anonymous.get(`/sso/check/${tenant.orgId}`)).body.enforceSSO).toBe(true);
    await asAdmin().post(`/sso/providers/${id}/status`).send({ status: 'testing' });
    expect((await sso.identity.login(email, PASSWORD)).status).toBe(200);
  });

  it('may be forced, which is recorded, and lets break-glass people be', async () => {
    const id = await sso.provider(tenant, idp);
    const { email, userId } = await memberWithPassword();
    await sso.service.sql('UPDATE users SET break_glass = true WHERE id = $1', [userId]);
    expect((await asAdmin().patch(`/sso/providers/${id}?force=true`).send({ enforceSSO: true })).status).toBe(200);
    expect((await sso.service.audits('sso.provider.update')).at(-1)?.details).toMatchObject({
      enforcementForced: true,
    });
    expect((await sso.identity.login(email, PASSWORD)).status).toBe(200);
  });

  it("of a partner governs its technicians and not its organisations' people (AUTH-15)", async () => {
    const { email } = await memberWithPassword();
    const technician = `${newId()}@corp.example`;
    await sso.user({ email: technician, partnerId: tenant.partnerId, role: PARTNER_VIEWER, password: PASSWORD });
    await sso.provider(tenant, idp, { ownerScope: 'partner', defaultRoleId: undefined, enforceSSO: true });
    expect((await sso.identity.login(technician, PASSWORD)).status).toBe(401);
    expect((await sso.identity.login(email, PASSWORD)).status).toBe(200);
  });

  async function memberWithPassword() {
    const email = `${newId()}@corp.example`;
    const { userId } = await sso.user({ email, partnerId: tenant.partnerId, orgId: tenant.orgId, password: PASSWORD });
    return { userId, email };
  }
});

const PASSWORD = 'a long enough passphrase';
const ORG_ADMIN = '00000000-0000-7000-8000-000000000004';
const PARTNER_VIEWER = '00000000-0000-7000-8000-000000000003';

const asAdmin = () => sso.service.as(tenant.admin);
const create = (body: object) =>
  asAdmin()
    .post('/sso/providers')
    .send({ orgId: tenant.orgId, name: 'IdP', type: 'oidc', ...body });
