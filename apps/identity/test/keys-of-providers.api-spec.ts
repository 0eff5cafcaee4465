import { type Principal, SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { type IntrospectionResponse, PrincipalsChanged } from '@gatehouse/contracts-identity';
import { newId, sha256Hex } from '@gatehouse/crypto';
import { aPartnerAdmin, type Client } from '@gatehouse/testing';
import { describe, expect, it } from '@jest/globals';
import { besideAnIdp, codeIn, type ScriptedIdp, type SsoHarness, type Tenant } from './sso.harness.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const roleId = (name: string): string => SYSTEM_ROLES.find((role) => role.name === name)?.id ?? '';
const [ORG_ADMIN, ORG_VIEWER] = [roleId('Organization Admin'), roleId('Organization Viewer')];
let idp: ScriptedIdp;
let sso: SsoHarness;
let tenant: Tenant;
besideAnIdp((made) => ({ idp, sso, tenant } = made));

/** A person whom the provider signs in, with a second factor. */
async function signedIn(): Promise<Principal> {
  const email = `keys-${newId()}@corp.example`;
  idp.identity = { sub: newId(), email, email_verified: true, name: 'Key Maker' };
  const { body } = await sso.exchange(codeIn(await sso.signIn(tenant)));
  return { ...(await sso.identity.principalOf(body.accessToken)), mfa: true };
}
/** A person who signs in with a password, and has a second factor. */
async function byPassword(): Promise<Principal> {
  const [email, password] = [`keys-${newId()}@corp.example`, 'an uncommon pass phrase'];
  await sso.user({ email, password, ...tenant });
  const { body } = await sso.anonymous.post('/auth/login').send({ email, password });
  return { ...(await sso.identity.principalOf(body.accessToken)), mfa: true };
}
const keyOf = async (person: Principal, more: object = {}): Promise<{ id: string; key: string; expiresAt: string }> => {
  const { body } = await sso.service
    .as(person)
    .post('/api-keys')
    .send({ name: 'Reports', permissions: ['devices:read'], ...more });
  return body.data;
};
const isAlive = async ({ key }: { key: string }): Promise<boolean> => {
  const asked = sso.service.asService('gateway').post('/internal/introspect');
  return ((await asked.send({ apiKeyHash: sha256Hex(key) })).body as IntrospectionResponse).active;
};
const admin = (): Client => sso.service.as(tenant.admin);
const setStatus = (id: string, status: string) =>
  admin().post(`/sso/providers/${id}/status?force=true`).send({ status });
const dropped = async (): Promise<string[]> =>
  (await sso.service.emitted(PrincipalsChanged)).flatMap(({ data }) => data.apiKeyIds);

describe('API keys that a session of an identity provider makes', () => {
  it('IDY-130 live 365 days by default and at most', async () => {
    const providerId = await sso.provider(tenant, idp);
    const person = await signedIn();
    const key = await keyOf(person);
    expect(Date.parse(key.expiresAt) - Date.now()).toBeGreaterThan(364 * DAY_MS);
    expect(Date.parse(key.expiresAt) - Date.now()).toBeLessThan(366 * DAY_MS);
    const client = sso.service.as(person);
    const late = new Date(Date.now() + 400 * DAY_MS).toISOString();
    expect(
      (await client.post('/api-keys').send({ name: 'Long', permissions: ['devices:read'], expiresAt: late })).body,
    ).toMatchObject({ status: 400, code: 'validation_failed', issues: [{ path: 'expiresAt' }] });
    const soon = new Date(Date.now() + DAY_MS).toISOString();
    expect((await keyOf(person, { expiresAt: soon })).expiresAt).toBe(soon);
    expect((await client.get('/api-keys')).body.data[0]).toMatchObject({ providerId, suspended: false });
    expect((await sso.service.audits('api_key.create')).at(-1)?.details).toMatchObject({
      changes: { providerId: { before: null, after: providerId } },
    });
  });

  it('IDY-131 stop while the provider is not active, and work again with it', async () => {
    const id = await sso.provider(tenant, idp);
    const person = await signedIn();
    const key = await keyOf(person);
    expect(await isAlive(key)).toBe(true);
    await setStatus(id, 'inactive');
    expect(await isAlive(key)).toBe(false);
    expect(await dropped()).toContain(key.id);
    expect((await admin().get('/api-keys')).body.data).toMatchObject([{ id: key.id, suspended: true }]);
    await setStatus(id, 'active');
    expect(await isAlive(key)).toBe(true);
  });

  it('IDY-131 end with the provider, with the link and with the membership, and not before', async () => {
    const id = await sso.provider(tenant, idp);
    const [linked, member] = [await signedIn(), await signedIn()];
    const [first, second, third] = [await keyOf(linked), await keyOf(member), await keyOf(await signedIn())];
    await sso.service.as(linked).delete(`/sso/link/${id}`);
    expect(await Promise.all([first, second, third].map(isAlive))).toEqual([false, true, true]);
    expect(await dropped()).toContain(first.id);
    await admin().delete(`/users/${member.userId}`);
    expect(await Promise.all([second, third].map(isAlive))).toEqual([false, true]);
    await admin().delete(`/sso/providers/${id}`);
    expect(await isAlive(third)).toBe(false);
    expect(await dropped()).toContain(third.id);
    const ids = [first.id, second.id, third.id];
    expect(await sso.service.sql('SELECT FROM api_keys WHERE id = ANY ($1::uuid[])', [ids])).toHaveLength(0);
  });

  it('IDY-131 end for a break-glass person whom the provider may not sign in', async () => {
    await sso.provider(tenant, idp);
    const person = await signedIn();
    const key = await keyOf(person);
    await sso.service.sql('UPDATE users SET break_glass = true WHERE id = $1', [person.userId]);
    expect(await isAlive(key)).toBe(false);
  });
});

describe('invitations that a session of an identity provider sends', () => {
  const invitedBy = async (person: Principal): Promise<string> => {
    await sso.service.sql('UPDATE memberships SET role_id = $2 WHERE user_id = $1', [person.userId, ORG_ADMIN]);
    const membership = { scope: 'organization', orgId: tenant.orgId, roleId: ORG_VIEWER };
    const client = sso.service.as({ ...person, permissions: ['*'] });
    const { body } = await client.post('/users').send({ email: `${newId()}@corp.example`, name: 'Pat', membership });
    return body.data.id;
  };
  const isOpen = async (id: string): Promise<boolean> => (await admin().get(`/users/${id}/invitation`)).status === 200;
  const withdrawn = async (): Promise<unknown[]> =>
    (await sso.service.audits('user.invite.withdraw')).map(({ resource: { id }, details }) => ({ id, ...details }));

  it('IDY-164 wait while the provider is not active, and are open again with it', async () => {
    const id = await sso.provider(tenant, idp);
    const invitation = await invitedBy(await signedIn());
    expect(await isOpen(invitation)).toBe(true);
    await setStatus(id, 'inactive');
    expect(await isOpen(invitation)).toBe(false);
    await setStatus(id, 'active');
    expect(await isOpen(invitation)).toBe(true);
  });

  it('IDY-164 are withdrawn with the link and with the provider, and the log says what was offered', async () => {
    const id = await sso.provider(tenant, idp);
    const [leaving, staying] = [await signedIn(), await signedIn()];
    const [first, second] = [await invitedBy(leaving), await invitedBy(staying)];
    await sso.service.as(leaving).delete(`/sso/link/${id}`);
    expect([await isOpen(first), await isOpen(second)]).toEqual([false, true]);
    await admin().delete(`/sso/providers/${id}`);
    expect(await isOpen(second)).toBe(false);
    const changes = expect.objectContaining({ roleId: { before: ORG_VIEWER, after: null } });
    expect(await withdrawn()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: first, changes }),
        expect.objectContaining({ id: second, changes }),
      ]),
    );
  });
});

describe('the longest life of API keys', () => {
  const days = (count: number): string => new Date(Date.now() + count * DAY_MS).toISOString();
  const set = (owner: object, maxDays: number | null, by = admin()) =>
    by.put('/api-keys/policy').send({ ...owner, maxDays });
  const ofOrganization = () => ({ orgId: tenant.orgId });
  const ofPartner = { ownerScope: 'partner' };
  const boss = (): Client => sso.service.as(aPartnerAdmin(tenant.partnerId));

  it('IDY-163 is what the organisation sets, never longer than what its partner sets, for every key made there', async () => {
    const client = sso.service.as(await byPassword());
    const make = (expiresAt?: string) =>
      client.post('/api-keys').send({ name: 'Reports', permissions: ['devices:read'], expiresAt });
    expect((await make()).body.data.expiresAt).toBeNull();
    expect((await set(ofOrganization(), 90)).body.data).toMatchObject({
      maxDays: 90,
      effectiveDays: 90,
      providerDays: 90,
    });
    const made = (await make()).body.data.expiresAt as string;
    expect(Math.round((Date.parse(made) - Date.now()) / DAY_MS)).toBe(90);
    expect((await make(days(91))).body).toMatchObject({
      status: 400,
      code: 'validation_failed',
      issues: [{ path: 'expiresAt', message: 'must be within 90 days' }],
    });
    expect((await set(ofPartner, 30, boss())).body.data).toMatchObject({ orgId: null, maxDays: 30 });
    expect((await make(days(31))).body.issues[0].message).toBe('must be within 30 days');
    expect((await admin().get(`/api-keys/policy?orgId=${tenant.orgId}`)).body.data).toMatchObject({
      maxDays: 90,
      effectiveDays: 30,
    });
    await set(ofPartner, null, boss());
    await set(ofOrganization(), null);
    expect((await make(days(400))).status).toBe(201);
    expect((await sso.service.audits('api_key_policy.update'))[0]).toMatchObject({
      resource: { type: 'api_key_policy', id: tenant.orgId },
      details: { changes: { maxDays: { before: null, after: 90 }, providerDays: { before: 365, after: 90 } } },
    });
  });

  it('IDY-163 bounds the keys of sessions of identity providers instead of 365 days', async () => {
    await sso.provider(tenant, idp);
    const person = await signedIn();
    await set(ofOrganization(), 700);
    expect(Date.parse((await keyOf(person)).expiresAt) - Date.now()).toBeGreaterThan(699 * DAY_MS);
    await set(ofOrganization(), null);
    expect(Date.parse((await keyOf(person)).expiresAt) - Date.now()).toBeLessThan(366 * DAY_MS);
  });

  it('IDY-163 is set by people who may change users there, with a second factor, and within bounds', async () => {
    const orgId = tenant.orgId;
    const refused = [
      await set({ orgId }, 0),
      await set({ orgId }, 3_651),
      await set({ ownerScope: 'partner' }, 5, sso.service.as(sso.orgAdmin(tenant))),
      await set({ orgId: newId() }, 5),
      await set({ orgId }, 5, sso.service.as({ ...tenant.admin, mfa: false })),
      await set({ orgId }, 5, sso.service.as({ ...tenant.admin, permissions: ['users:read'] })),
      await set({ orgId }, 5, sso.service.as({ ...tenant.admin, sites: [newId()] })),
      await set({ orgId }, 5, sso.service.as(aPartnerAdmin(newId()))),
    ];
    expect(refused.map(({ body }) => body.code)).toEqual([
      'validation_failed',
      'validation_failed',
      'scope_denied',
      'organization_not_found',
      'mfa_required',
      'permission_denied',
      'site_access_denied',
      'organization_not_found',
    ]);
    expect((await sso.service.as(sso.orgAdmin(tenant)).get('/api-keys/policy')).body.data).toMatchObject({
      orgId,
      maxDays: null,
      effectiveDays: null,
    });
  });
});

describe('linking in a session of an identity provider', () => {
  const enrolled = (userId: string, at: string, byProvider: boolean) =>
    sso.service.sql(
      `INSERT INTO mfa_factors (id, user_id, kind, name, secret_sealed, confirmed_at, by_provider)
       VALUES ($1, $2, 'totp', 'App', 'x', ${at}, $3)`,
      [newId(), userId, byProvider],
    );
  const begin = async (person: Principal, id: string): Promise<number> =>
    (await sso.service.as(person).post(`/sso/link/start/${id}`)).status;

  it.each([
    ['none of the own', 403, null, false],
    ['one that the session itself enrolled', 403, 'now()', true],
    ['one that is older than the session', 200, "now() - interval '1 day'", true],
    ['one that no provider’s session enrolled', 200, 'now()', false],
  ])('IDY-135 with a second factor, %s, answers %s', async (_, status, at, byProvider) => {
    const id = await sso.provider(tenant, idp);
    const person = await signedIn();
    if (at !== null) await enrolled(person.userId, at, byProvider);
    expect(await begin(person, id)).toBe(status);
  });
});
