import { type Principal, SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { type IntrospectionResponse, PrincipalsChanged, SsoProviderChanged } from '@gatehouse/contracts-identity';
import { OrganizationChanged } from '@gatehouse/contracts-tenancy';
import { newId, sha256Hex } from '@gatehouse/crypto';
import { aPartnerAdmin, type Client, Gate, overlapping, patient } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { besideAnIdp, codeIn, NO_LIMITS, type ScriptedIdp, type SsoHarness, type Tenant } from './sso.harness.ts';

const roleId = (name: string): string => SYSTEM_ROLES.find((role) => role.name === name)?.id ?? '';
let idp: ScriptedIdp;
let sso: SsoHarness;
let tenant: Tenant;
besideAnIdp((made) => ({ idp, sso, tenant } = made), patient(NO_LIMITS, 'setupVisit=10000/300'));
const admin = (): Client => sso.service.as(tenant.admin);

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

  it('ATK-102 IDY-131 stop while the provider is not active, and work again with it', async () => {
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
  it('IDY-164 wait while the provider is not active, and are open again with it', async () => {
    const id = await sso.provider(tenant, idp);
    const invitation = await invitedBy(await signedIn());
    expect(await isOpen(invitation)).toBe(true);
    await setStatus(id, 'inactive');
    expect(await isOpen(invitation)).toBe(false);
    await setStatus(id, 'active');
    expect(await isOpen(invitation)).toBe(true);
  });

  it('ATK-104 IDY-164 are withdrawn with the link and with the provider, and the log says what was offered', async () => {
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

  const invitedBy = async (person: Principal): Promise<string> =>
    (await invite(await asAdministrator(person))).body.data.id;
  const isOpen = async (id: string): Promise<boolean> => (await admin().get(`/users/${id}/invitation`)).status === 200;
  const withdrawn = async (): Promise<unknown[]> =>
    (await sso.service.audits('user.invite.withdraw')).map(({ resource: { id }, details }) => ({ id, ...details }));
});

describe('set-up links that a session of an identity provider makes', () => {
  it('IDY-190 rest while the provider is not active, and end with the link and with the provider', async () => {
    const id = await sso.provider(tenant, idp);
    const leaving = await signedIn();
    const [first, second] = [await made(leaving), await made(await signedIn())];
    await setStatus(id, 'inactive');
    expect(await Promise.all([first, second].map(opens))).toEqual([false, false]);
    await setStatus(id, 'active');
    expect(await Promise.all([first, second].map(opens))).toEqual([true, true]);
    await sso.service.as(leaving).delete(`/sso/link/${id}`);
    expect(await Promise.all([first, second].map(opens))).toEqual([false, true]);
    await admin().delete(`/sso/providers/${id}`);
    expect(await opens(second)).toBe(false);
    const revoked = (await sso.service.audits('sso.setup_link.revoke')).map(({ resource }) => resource.id);
    expect(revoked).toEqual(expect.arrayContaining([first.id, second.id]));
  });

  const made = async (person: Principal): Promise<{ id: string; token: string }> => {
    await sso.service.sql('UPDATE memberships SET role_id = $2 WHERE user_id = $1', [person.userId, ORG_ADMIN]);
    const client = sso.service.as({ ...person, permissions: ['*'] });
    const { body } = await client.post('/sso/setup-links').send({ orgId: tenant.orgId });
    return { id: body.data.id, token: body.data.url.split('#')[1] };
  };
  const opens = async ({ token }: { token: string }): Promise<boolean> =>
    (await sso.anonymous.post('/sso/setup/visits').send({ token })).status === 200;
});

describe('a set-up link', () => {
  let author: Principal;
  beforeEach(async () => {
    author = await administrator();
  });
  const change = (body: object) => admin().patch(`/users/${author.userId}`).send(body);
  const viewer = () => ({ scope: 'partner', partnerId: tenant.partnerId, roleId: roleId('Partner Viewer') });

  it.each<[string, () => Promise<unknown>]>([
    ['suspended', () => change({ status: 'suspended' })],
    ['removed', () => admin().delete(`/users/${author.userId}`)],
    ['without the right', () => change({ membership: { ...viewer(), orgAccess: 'all' } })],
  ])('ends for good once its author is %s, and leaves its place to another (SETUP-21)', async (_, end) => {
    const links = [await link(), await link(), await link(), await link(), await link()];
    const token = links[0]?.token ?? '';
    const { visitToken } = (await open(token)).body.data;
    await end();
    await change({ status: 'active' });
    await sso.service.sql('UPDATE memberships SET role_id = $2 WHERE id = $1', [author.membershipId, ADMINISTRATOR]);
    const view = await sso.anonymous.get('/sso/setup').set('authorization', `Bearer ${visitToken}`);
    expect([(await open(token)).status, view.body.code]).toEqual([401, 'setup_link_invalid']);
    const listed = (await admin().get(`/sso/setup-links?orgId=${tenant.orgId}`)).body.data as { status: string }[];
    expect(listed.map(({ status }) => status)).toEqual(links.map(() => 'revoked'));
    const ended = (await sso.service.audits('sso.setup_link.revoke')).filter(({ orgId }) => orgId === tenant.orgId);
    expect(ended.map(({ resource, details }) => [resource.id, details['reason']]).sort()).toEqual(
      links.map(({ id }) => [id, 'author_lost_authority']).sort(),
    );
    expect((await make(await administrator())).status).toBe(201);
  });

  it('shows our certificate for encryption to a visitor, once an administrator has made it (SSO-208)', async () => {
    const settings = { orgId: tenant.orgId, name: 'SAML', type: 'saml' };
    const { id } = (await admin().post('/sso/providers').send(settings)).body.data;
    const { url } = (await make(author, { providerId: id })).body.data;
    const { visitToken } = (await open(url.split('#')[1])).body.data;
    const shown = async () =>
      (await sso.anonymous.get('/sso/setup').set('authorization', `Bearer ${visitToken}`)).body.data.provider
        .encryptionCertificate;
    expect(await shown()).toBeNull();
    await admin().post(`/sso/providers/${id}/encryption-key`);
    expect(await shown()).toMatch(/^-----BEGIN CERTIFICATE-----/);
  });

  it('ends for good when its organisation is archived', async () => {
    const { id, token } = await link();
    const becomes = (status: 'active' | 'archived', version: number) =>
      sso.service.deliver(OrganizationChanged, {
        orgId: tenant.orgId,
        partnerId: tenant.partnerId,
        name: 'Customer',
        status,
        deleted: false,
        mergedIntoId: null,
        version,
      });
    await becomes('archived', 2);
    expect((await open(token)).status).toBe(401);
    await becomes('active', 3);
    expect((await open(token)).status).toBe(401);
    expect((await admin().get(`/sso/setup-links/${id}`)).body.data.status).toBe('revoked');
  });

  it('whose role was deleted refuses its visitor as one that may not grant it (SETUP-22)', async () => {
    const role = { name: newId(), axis: 'organization', partnerId: tenant.partnerId, permissions: ['devices:read'] };
    const { id } = (await admin().post('/roles').send(role)).body.data;
    const { url } = (await make(author, { defaultRoleId: id })).body.data;
    const { visitToken } = (await open(url.split('#')[1])).body.data;
    expect((await admin().delete(`/roles/${id}`)).status).toBe(200);
    const { issuer, clientId, clientSecret } = idp;
    const refused = await sso.anonymous
      .put('/sso/setup/provider')
      .set('authorization', `Bearer ${visitToken}`)
      .send({ type: 'oidc', issuer, clientId, clientSecret });
    expect(refused.body).toMatchObject({ status: 403, code: 'role_not_grantable' });
    expect(await sso.service.sql('SELECT FROM sso_providers WHERE org_id = $1', [tenant.orgId])).toEqual([]);
  });

  it('stays open while another membership of its author is suspended', async () => {
    const { token } = await link();
    const elsewhere = await sso.tenant();
    await sso.service.sql(
      `INSERT INTO memberships (id, user_id, level, partner_id, org_id, role_id)
       VALUES ($1, $2, 'organization', $3, $4, $5)`,
      [newId(), author.userId, elsewhere.partnerId, elsewhere.orgId, ORG_VIEWER],
    );
    const suspended = sso.service.as(elsewhere.admin).patch(`/users/${author.userId}`).send({ status: 'suspended' });
    expect([(await suspended).status, (await open(token)).status]).toEqual([200, 200]);
  });

  const ADMINISTRATOR = roleId('Partner Admin');
  const administrator = async (): Promise<Principal> => {
    const made = await sso.user({ email: `${newId()}@msp.example`, partnerId: tenant.partnerId, role: ADMINISTRATOR });
    return { ...tenant.admin, ...made, id: made.userId };
  };
  const make = (by = author, more: object = {}) =>
    sso.service
      .as(by)
      .post('/sso/setup-links')
      .send({ orgId: tenant.orgId, ...more });
  const link = async (): Promise<{ id: string; token: string }> => {
    const { id, url } = (await make()).body.data;
    return { id, token: url.split('#')[1] };
  };
  const open = (token: string) => sso.anonymous.post('/sso/setup/visits').send({ token });
});

describe('what a session of an identity provider made', () => {
  it('IDY-191 ends when the provider names its users otherwise, here and in other services', async () => {
    const id = await sso.provider(tenant, idp);
    const person = await signedIn();
    const key = await keyOf(person);
    const offer = await invite(await asAdministrator(person));
    const changed = await admin().patch(`/sso/providers/${id}`).send({ entityId: 'https://another.example' });
    expect([changed.status, changed.body.code]).toEqual([200, undefined]);
    expect([await isAlive(key), (await dropped()).includes(key.id)]).toEqual([false, true]);
    const withdrawn = (await sso.service.audits('user.invite.withdraw')).map(({ resource }) => resource.id);
    expect(withdrawn).toContain(offer.body.data.id);
    expect((await told(id)).at(-1)).toMatchObject({ status: 'active', allUnlinked: true });
  });

  it('IDY-191 leaves an invitation that an administrator has sent again outside of the provider', async () => {
    const id = await sso.provider(tenant, idp);
    const person = await signedIn();
    const email = `${newId()}@corp.example`;
    expect((await invite(await asAdministrator(person), email)).status).toBe(201);
    const again = await invite(admin(), email);
    expect([again.status, again.body.code]).toEqual([201, undefined]);
    await sso.service.as(person).delete(`/sso/link/${id}`);
    const offers = await sso.service.sql('SELECT FROM membership_offers WHERE author_id = $1', [tenant.admin.userId]);
    expect(offers).toHaveLength(1);
  });

  it('waits for a change of the provider without a lock that the change needs', async () => {
    const id = await sso.provider(tenant, idp);
    const person = await signedIn();
    const [inside, email] = [await asAdministrator(person), `${newId()}@corp.example`];
    expect((await invite(inside, email)).status).toBe(201);
    const gate = await Gate.close(sso.service, `SELECT FROM sso_providers WHERE id = '${id}' FOR UPDATE`);
    const made = Promise.all([makeKey(person), invite(inside, email)]);
    await gate.waited(2);
    await gate.take(`SELECT FROM users WHERE id = '${person.userId}' FOR UPDATE`);
    await gate.take(`SELECT FROM membership_offers WHERE email = '${email}' FOR UPDATE`);
    await gate.open();
    expect((await made).map(({ status }) => status)).toEqual([201, 201]);
  });

  it('ends with the link of its maker without a deadlock beside a change of the provider', async () => {
    const id = await sso.provider(tenant, idp);
    const person = await signedIn();
    await sso.exchange(codeIn(await sso.signIn(tenant)));
    expect((await invite(await asAdministrator(person))).status).toBe(201);
    const others = `user_id = '${person.userId}' AND id <> '${person.sessionId}'`;
    const unlink = () => sso.service.as(person).delete(`/sso/link/${id}`);
    const change = () => admin().patch(`/sso/providers/${id}`).send({ entityId: 'https://another.example' });
    const ends = await overlapping(sso.service, `SELECT FROM sessions WHERE ${others} FOR UPDATE`, unlink, change);
    expect(ends.map(({ status }) => status)).toEqual([200, 200]);
    const deadlocks = 'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()';
    expect(await sso.service.sql(deadlocks)).toEqual([{ deadlocks: 0 }]);
  });

  it('IDY-191 is not made by a session that ends while it is being made', async () => {
    const id = await sso.provider(tenant, idp);
    const person = await signedIn();
    const inside = await asAdministrator(person);
    const gate = await Gate.close(sso.service, `SELECT FROM users WHERE id = '${person.userId}' FOR KEY SHARE`);
    const ended = setStatus(id, 'inactive').then(({ status }) => status);
    await gate.waited(1);
    const made = Promise.all([makeKey(person), invite(inside)]);
    await gate.waited(3);
    await gate.open();
    expect((await made).map(({ body }) => body.code)).toEqual(['session_revoked', 'session_revoked']);
    expect(await ended).toBe(200);
  });

  it('IDY-191 is told to other services when a user removes their own link', async () => {
    const id = await sso.provider(tenant, idp);
    const person = await signedIn();
    await sso.service.as(person).delete(`/sso/link/${id}`);
    expect((await told(id)).at(-1)).toMatchObject({ status: 'active', unlinkedUserId: person.userId });
  });

  it('IDY-191 takes the other sessions of this provider along, and no more, when a user removes their own link', async () => {
    const id = await sso.provider(tenant, idp);
    const [other, byPassword] = [await signedIn(), await sso.exchange(codeIn(await sso.signIn(tenant)))];
    const { sessionId: kept } = await sso.identity.principalOf(byPassword.body.accessToken);
    await sso.service.sql(`UPDATE sessions SET via = 'password', provider_id = NULL WHERE id = $1`, [kept]);
    const { body } = await sso.exchange(codeIn(await sso.signIn(tenant)));
    const own = { ...(await sso.identity.principalOf(body.accessToken)), mfa: true };
    expect([own.userId, own.sessionId === other.sessionId]).toEqual([other.userId, false]);
    await sso.service.as(own).delete(`/sso/link/${id}`);
    const alive = 'SELECT id FROM sessions WHERE user_id = $1 AND revoked_at IS NULL ORDER BY created_at';
    expect(await sso.service.sql(alive, [own.userId])).toEqual([{ id: kept }, { id: own.sessionId }]);
  });

  const told = async (providerId: string) =>
    (await sso.service.emitted(SsoProviderChanged))
      .map(({ data }) => data)
      .filter((data) => data.providerId === providerId);
});

describe('the longest life of API keys', () => {
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

  const days = (count: number): string => new Date(Date.now() + count * DAY_MS).toISOString();
  const set = (owner: object, maxDays: number | null, by = admin()) =>
    by.put('/api-keys/policy').send({ ...owner, maxDays });
  const ofOrganization = () => ({ orgId: tenant.orgId });
  const ofPartner = { ownerScope: 'partner' };
  const boss = (): Client => sso.service.as(aPartnerAdmin(tenant.partnerId));
});

describe('linking in a session of an identity provider', () => {
  it.each([
    ['none of the own', 403, null, false],
    ['one that the session itself enrolled', 403, 'now()', true],
    ['one that is older than the session', 200, "now() - interval '1 day'", true],
    ['one that no provider’s session enrolled', 200, 'now()', false],
  ])('ATK-103 IDY-135 with a second factor, %s, answers %s', async (_, status, at, byProvider) => {
    const id = await sso.provider(tenant, idp);
    const person = await signedIn();
    if (at !== null) await enrolled(person.userId, at, byProvider);
    expect(await begin(person, id)).toBe(status);
  });

  const enrolled = (userId: string, at: string, byProvider: boolean) =>
    sso.service.sql(
      `INSERT INTO mfa_factors (id, user_id, kind, name, secret_sealed, confirmed_at, by_provider)
       VALUES ($1, $2, 'totp', 'App', 'x', ${at}, $3)`,
      [newId(), userId, byProvider],
    );
  const begin = async (person: Principal, id: string): Promise<number> =>
    (await sso.service.as(person).post(`/sso/link/start/${id}`)).status;
});

const DAY_MS = 24 * 60 * 60 * 1000;
const [ORG_ADMIN, ORG_VIEWER] = [roleId('Organization Admin'), roleId('Organization Viewer')];

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
const makeKey = (person: Principal, more: object = {}) =>
  sso.service
    .as(person)
    .post('/api-keys')
    .send({ name: 'Reports', permissions: ['devices:read'], ...more });
const keyOf = async (...of: Parameters<typeof makeKey>): Promise<{ id: string; key: string; expiresAt: string }> =>
  (await makeKey(...of)).body.data;
async function asAdministrator(person: Principal): Promise<Client> {
  await sso.service.sql('UPDATE memberships SET role_id = $2 WHERE user_id = $1', [person.userId, ORG_ADMIN]);
  return sso.service.as({ ...person, permissions: ['*'] });
}
const invite = (by: Client, email = `${newId()}@corp.example`) =>
  by.post('/users').send({
    email,
    name: 'Pat',
    membership: { scope: 'organization', orgId: tenant.orgId, roleId: ORG_VIEWER },
  });
const isAlive = async ({ key }: { key: string }): Promise<boolean> => {
  const asked = sso.service.asService('gateway').post('/internal/introspect');
  return ((await asked.send({ apiKeyHash: sha256Hex(key) })).body as IntrospectionResponse).active;
};
const setStatus = (id: string, status: string) =>
  admin().post(`/sso/providers/${id}/status?force=true`).send({ status });
const dropped = async (): Promise<string[]> =>
  (await sso.service.emitted(PrincipalsChanged)).flatMap(({ data }) => data.apiKeyIds);
