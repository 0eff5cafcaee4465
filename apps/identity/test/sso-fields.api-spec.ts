import { OrganizationChanged } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { newSamlKey } from '@gatehouse/dev-idp';
import { anOrgAdmin } from '@gatehouse/testing';
import { describe, expect, it } from '@jest/globals';
import { inflateRawSync } from 'node:zlib';
import { besideAnIdp, codeIn, type SsoHarness, type ScriptedIdp, type Tenant } from './sso.harness.ts';

let idp: ScriptedIdp;
let sso: SsoHarness;
let tenant: Tenant;
besideAnIdp((made) => ({ idp, sso, tenant } = made));
const url = (length: number): string => `https://idp.invalid/${'a'.repeat(length - 20)}`;

describe('a provider', () => {
  it.each([
    ['name', 'n'.repeat(255), 'n'.repeat(256)],
    ['name', 'n', ''],
    ['clientId', 'c'.repeat(255), 'c'.repeat(256)],
    ['scopes', `openid ${'s'.repeat(493)}`, `openid ${'s'.repeat(494)}`],
    ['issuer', url(500), url(501)],
    ['type', 'saml', 'ldap'],
    ['attributeMapping', { email: 'mail', name: 'cn' }, { email: 'mail' }],
    ['attributeMapping', { email: 'mail', name: 'cn', groups: 'g' }, { name: 'cn' }],
  ])('has the limits of the specification: %s', async (field, longest, tooMuch) => {
    expect((await create({ [field]: longest })).status).toBe(201);
    const { body } = await create({ [field]: tooMuch });
    expect([body.status, String(body.issues?.[0]?.path).split('.')[0]]).toEqual([400, field]);
  });

  it('may name allowed domains in 1000 characters, and its four endpoints in 500 each', async () => {
    const {
      body: {
        data: { id },
      },
    } = await create({});
    const patch = async (body: object): Promise<number> =>
      (await asAdmin().patch(`/sso/providers/${id}`).send(body)).status;
    expect([domains(80).length < 1000, domains(100).length > 1000]).toEqual([true, true]);
    expect([await patch({ allowedDomains: domains(80) }), await patch({ allowedDomains: domains(100) })]).toEqual([
      200, 400,
    ]);
    for (const field of ['authorizationUrl', 'tokenUrl', 'userInfoUrl', 'jwksUrl'])
      expect(await patch({ [field]: url(501) })).toBe(400);
  });

  it('of a partner belongs to the partner, whatever organisation is named with it', async () => {
    expect((await create({ ownerScope: 'partner', orgId: newId() })).body.data).toMatchObject({
      ownerScope: 'partner',
      orgId: null,
      partnerId: tenant.partnerId,
    });
    expect((await create({})).body.data).toMatchObject({
      ownerScope: 'organization',
      orgId: tenant.orgId,
      partnerId: null,
    });
  });

  it('is read only by signed-in callers', async () => {
    const {
      body: {
        data: { id },
      },
    } = await create({});
    const reader = sso.service.as(anOrgAdmin(tenant.partnerId, tenant.orgId, { permissions: [], mfa: false }));
    for (const path of ['/sso/presets', '/sso/providers', `/sso/providers/${id}`]) {
      expect((await reader.get(path)).status).toBe(200);
      expect((await sso.anonymous.get(path)).status).toBe(401);
    }
  });

  it('goes from any status to any other, and each step is recorded once (AUD-40)', async () => {
    const id = await sso.provider(tenant, idp);
    const steps = ['inactive', 'testing', 'active', 'testing', 'inactive', 'active'];
    for (const status of steps.flatMap((step) => [step, step]))
      expect((await asAdmin().post(`/sso/providers/${id}/status`).send({ status })).body.data.status).toBe(status);
    expect(
      (await sso.service.audits('sso.provider.status.update')).slice(-steps.length).map(({ details }) => details['to']),
    ).toEqual(steps);
    expect((await asAdmin().post(`/sso/providers/${id}/status`).send({ status: 'other' })).status).toBe(400);
  });

  it('stays as it is below an archived organisation, and so do domains and roles', async () => {
    const id = await sso.provider(tenant, idp);
    const domain = (
      await asAdmin()
        .post('/sso/domains')
        .send({ orgId: tenant.orgId, domain: `${newId()}.example.com` })
    ).body.data.id as string;
    const roleInput = { name: 'Readers', axis: 'organization', orgId: tenant.orgId, permissions: ['devices:read'] };
    const role = (await asAdmin().post('/roles').send(roleInput)).body.data.id as string;
    const { orgId, partnerId } = tenant;
    await sso.service.deliver(OrganizationChanged, {
      orgId,
      partnerId,
      name: 'Closed',
      mergedIntoId: null,
      status: 'archived',
      deleted: false,
      version: 9,
    });
    const provider = `/sso/providers/${id}`;
    const attempts = [
      asAdmin().patch(provider).send({ name: 'x' }),
      asAdmin()
        .patch(provider)
        .send({ issuer: `${idp.issuer}/nowhere` }),
      asAdmin().post(`${provider}/status`).send({ status: 'inactive' }),
      asAdmin().delete(provider),
      create({}),
      asAdmin().post(`/sso/domains/${domain}/verify`),
      asAdmin().delete(`/sso/domains/${domain}`),
      asAdmin().post('/sso/domains').send({ orgId, domain: 'example.com' }),
      asAdmin().patch(`/roles/${role}`).send({ name: 'x' }),
      asAdmin().delete(`/roles/${role}`),
      asAdmin()
        .post('/roles')
        .send({ ...roleInput, name: 'Others' }),
    ];
    for (const attempt of attempts)
      expect((await attempt).body).toMatchObject({ status: 409, code: 'organization_frozen' });
    expect((await asAdmin().get(provider)).body.data).toMatchObject({ name: 'Test IdP', status: 'active' });
  });

  it('that is the oldest active one signs people in; the next in line does once it is switched off', async () => {
    const oldest = await sso.provider(tenant, { ...idp, clientId: 'oldest' });
    await sso.provider(tenant, { ...idp, clientId: 'younger' });
    const clientAsked = async (): Promise<string | null> =>
      new URL((await sso.start(tenant)).url).searchParams.get('client_id');
    expect(await clientAsked()).toBe('oldest');
    await asAdmin().post(`/sso/providers/${oldest}/status`).send({ status: 'testing' });
    expect(await clientAsked()).toBe('younger');
  });

  it('takes its pending sign-ins and its links along when it is deleted, which is recorded', async () => {
    const id = await sso.provider(tenant, idp);
    idp.identity = { sub: newId(), email: `${newId()}@corp.example`, email_verified: true, name: 'Gone' };
    expect(codeIn(await sso.signIn(tenant))).toMatch(/^[\w-]{43}$/);
    await sso.start(tenant);
    expect((await asAdmin().delete(`/sso/providers/${id}`)).body).toEqual({ success: true });
    for (const table of ['sso_login_sessions', 'sso_identity_links'])
      expect(await sso.service.sql(`SELECT FROM ${table} WHERE provider_id = $1`, [id])).toEqual([]);
    expect((await sso.service.audits('sso.provider.delete')).at(-1)).toMatchObject({
      resource: { id },
      orgId: tenant.orgId,
    });
  });

  it('of SAML is asked for the NameID format that is configured, and to sign in anew when it is told so', async () => {
    const { certificatePem: certificate } = await newSamlKey();
    const saml = { type: 'saml', entityId: 'https://idp.example.com/saml', ssoUrl: `${idp.issuer}/saml`, certificate };
    const {
      body: { data },
    } = await create({
      ...saml,
      nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      forceAuthn: true,
    });
    expect((await asAdmin().post(`/sso/providers/${data.id}/status`).send({ status: 'active' })).status).toBe(200);
    const requested = async (): Promise<string> =>
      inflateRawSync(
        Buffer.from(
          new URL((await sso.begin(`/sso/saml/login/${tenant.orgId}`)).url).searchParams.get('SAMLRequest') ?? '',
          'base64',
        ),
      ).toString();
    const first = await requested();
    expect(first).toContain('Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"');
    expect(first).toContain('ForceAuthn="true"');
    expect(
      (await asAdmin().patch(`/sso/providers/${data.id}`).send({ nameIdFormat: null, forceAuthn: false })).status,
    ).toBe(200);
    const second = await requested();
    expect(second).toContain('Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"');
    expect(second).not.toContain('ForceAuthn="true"');
  });
});

describe('what is kept of an identity', () => {
  it('is brought up to date by every sign-in', async () => {
    const id = await sso.provider(tenant, idp);
    const sub = newId();
    idp.identity = { sub, email: `${sub}@corp.example`, email_verified: true, name: 'First Name' };
    await sso.signIn(tenant);
    const link = async () =>
      (
        await sso.service.sql(
          `SELECT external_id, email, profile_sealed, access_token_sealed, token_expires_at > now() AS lasting,
            last_login_at, created_at FROM sso_identity_links WHERE provider_id = $1`,
          [id],
        )
      )[0] ?? {};
    const before = await link();
    expect(before).toMatchObject({
      external_id: sub,
      email: `${sub}@corp.example`,
      access_token_sealed: expect.stringMatching(/^v1\./),
      lasting: true,
    });
    idp.identity = { ...idp.identity, email: `new-${sub}@corp.example`, name: 'Other Name' };
    await sso.signIn(tenant);
    const after = await link();
    expect(after).toMatchObject({
      external_id: sub,
      email: `new-${sub}@corp.example`,
      created_at: before['created_at'],
    });
    for (const changed of ['profile_sealed', 'access_token_sealed', 'last_login_at'])
      expect(after[changed]).not.toEqual(before[changed]);
  });
});

describe('branding', () => {
  it('has a colour of six hexadecimal digits, by storage too', async () => {
    await expect(
      sso.service.sql(`INSERT INTO login_branding (partner_id, accent_color) VALUES ($1, '#12345g')`, [newId()]),
    ).rejects.toThrow('branding_accent_is_hex');
  });
});

const asAdmin = () => sso.service.as(tenant.admin);
const create = (body: object) =>
  asAdmin()
    .post('/sso/providers')
    .send({ orgId: tenant.orgId, name: 'IdP', type: 'oidc', ...body });
const domains = (count: number): string => Array.from({ length: count }, (_, at) => `d${at}.example`).join(',');
