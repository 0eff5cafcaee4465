import { SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { OrganizationChanged } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { anOrgAdmin, type Client, NO_OUTBOX, overlapping, patient } from '@gatehouse/testing';
import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Response } from 'supertest';
import { OidcDiscovery } from '../src/providers/configuration/settings/oidc-discovery.ts';
import { DomainProof } from '../src/providers/domains/domain-proof.ts';
import { totp } from './identity.harness.ts';
import { codeIn, errorIn, landing, NO_LIMITS, SsoHarness, startScriptedIdp, type Tenant } from './sso.harness.ts';

const idp = await startScriptedIdp();
const sso = await SsoHarness.start([idp.issuer], patient(NO_LIMITS, 'setupVisit=10000/300'));
let tenant: Tenant;
beforeEach(async () => {
  tenant = await sso.tenant();
});
afterAll(async () => {
  await sso.stop();
  await idp.stop();
});

describe('a person who is removed from an organisation at that moment', () => {
  it('opens no session there', async () => {
    const person = await member();
    const [removed, late] = await meanwhile(() => remove(person), person.login);
    expect([removed?.status, late?.status, late?.body.code]).toEqual([200, 401, 'invalid_credentials']);
  });

  it('is asked for no second factor', async () => {
    const person = await member();
    await enrol(await person.client());
    const [removed, late] = await meanwhile(() => remove(person), person.login);
    expect([removed?.status, late?.status, late?.body.code]).toEqual([200, 401, 'invalid_credentials']);
  });

  it('makes no API key with the session that ends', async () => {
    const person = await member();
    const client = await enrol(await person.client());
    const make = () => client.post('/api-keys').send({ name: 'late', permissions: ['devices:read'] });
    const [removed, late] = await meanwhile(() => remove(person), make);
    expect([removed?.status, late?.status, late?.body.code]).toEqual([200, 401, 'session_revoked']);
  });

  it('is told that the link of an invitation elsewhere is not valid, and gets an account by it anew', async () => {
    const [email, there] = [`${newId()}@corp.example`, await sso.tenant()];
    const { userId } = await sso.user({ email, partnerId: tenant.partnerId, orgId: tenant.orgId });
    const membership = { scope: 'organization', orgId: there.orgId, roleId: VIEWER };
    await sso.service.as(there.admin).post('/users').send({ email, name: 'Pat', membership }).expect(201);
    const token = await sso.identity.mailedToken(email);
    const accept = () => sso.anonymous.post('/auth/accept-invite').send({ token, password: PASSWORD });
    const [removed, late] = await meanwhile(() => remove({ userId }), accept);
    expect([removed?.status, late?.status, late?.body.code]).toEqual([200, 400, 'invitation_invalid']);
    await accept().expect(200);
  });

  it('does not come back by the role that a colleague gives them, or by another place', async () => {
    const person = await member();
    const change = () =>
      admin()
        .patch(`/users/${person.userId}`)
        .send({ membership: place(VIEWER) });
    const [removed, late] = await meanwhile(() => remove(person), change);
    expect([removed?.status, late?.status, late?.body.code]).toEqual([200, 404, 'user_not_found']);
  });

  it('is invited anew by who adds them to another organisation, once the account is gone', async () => {
    const person = await member();
    const orgId = await sso.identity.org(tenant.partnerId);
    const account = await sso.service.sql('SELECT FROM users WHERE id = $1', [person.userId]);
    expect(account).toHaveLength(1);
    await sso.service.sql('DELETE FROM memberships WHERE user_id = $1 AND org_id <> $2', [person.userId, tenant.orgId]);
    const add = () => invite(person.email, { ...place(VIEWER), orgId });
    const [removed, late] = await meanwhile(() => remove(person), add);
    expect([removed?.status, late?.status, late?.body.data?.status]).toEqual([200, 201, 'invited']);
  });
});

describe('a person who is suspended at that moment', () => {
  it('makes no API key, which would work once the person is reinstated', async () => {
    const person = await member();
    const client = await enrol(await person.client());
    const suspend = () => admin().patch(`/users/${person.userId}`).send({ status: 'suspended' });
    const make = () => client.post('/api-keys').send({ name: 'late', permissions: ['devices:read'] });
    const [suspended, late] = await meanwhile(suspend, make);
    expect([suspended?.status, late?.status, late?.body.code]).toEqual([200, 401, 'session_revoked']);
    expect(await sso.service.sql('SELECT FROM api_keys WHERE user_id = $1', [person.userId])).toEqual([]);
  });
});

describe('a session that an administrator ends at that moment', () => {
  it('links no identity any more (SSO-45)', async () => {
    const providerId = await sso.provider(tenant, idp);
    const [email, { partnerId, orgId }] = [`${newId()}@corp.example`, tenant];
    const { userId } = await sso.user({ email, partnerId, orgId });
    idp.identity = { sub: newId(), email, email_verified: true, name: 'Known' };
    const person = anOrgAdmin(partnerId, orgId, { userId, id: userId, email });
    const trip = await sso.startLinking(person, providerId);
    const search = await sso.wayBack(trip);
    const end = () => admin().delete(`/users/${userId}/sessions`);
    const [ended, late] = await meanwhile(end, () => sso.callback(search, trip.cookie));
    expect([ended?.status, landing(late!)]).toEqual([200, '/settings/profile?ssoLinkError=session_expired']);
    expect(await sso.service.sql('SELECT FROM sso_identity_links WHERE user_id = $1', [userId])).toEqual([]);
  });
});

describe('a role that is deleted at that moment', () => {
  it.each(['invited', 'added', 'moved'])('is not given to a person who is %s', async (how) => {
    const roleId = await role();
    const person = await member();
    const orgId = await sso.identity.org(tenant.partnerId);
    const calls: Record<string, Call> = {
      invited: () => invite(`${newId()}@corp.example`, place(roleId)),
      added: () => invite(person.email, { ...place(partnerRole), orgId }),
      moved: () =>
        admin()
          .patch(`/users/${person.userId}`)
          .send({ membership: place(roleId) }),
    };
    const partnerRole = how === 'added' ? await role(orgId) : roleId;
    const gone = how === 'added' ? partnerRole : roleId;
    const [deleted, late] = await meanwhile(() => admin().delete(`/roles/${gone}`), calls[how]!);
    expect([deleted?.status, late?.status, late?.body.code]).toEqual([200, 404, 'role_not_found']);
  });
});

describe('a role that an invitation gives at that moment', () => {
  it('stays, and its deletion meets no deadlock', async () => {
    const [roleId, email] = [await role(), `${newId()}@corp.example`];
    await invite(email, place(roleId)).expect(201);
    const token = await sso.identity.mailedToken(email);
    const accept = () => sso.anonymous.post('/auth/accept-invite').send({ token, password: PASSWORD });
    const calls = [accept, () => admin().delete(`/roles/${roleId}`)];
    const [accepted, kept] = await overlapping<Response>(sso.service, BEFORE_MEMBERSHIPS, ...calls);
    expect([accepted?.status, kept?.status, kept?.body.code]).toEqual([200, 409, 'role_in_use']);
    const deadlocks = 'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()';
    expect(await sso.service.sql(deadlocks)).toEqual([{ deadlocks: 0 }]);
  });
});

describe('a provider that is deleted at that moment', () => {
  it('gets no set-up link', async () => {
    const providerId = await provider();
    const make = () => admin().post('/sso/setup-links').send({ providerId });
    const [deleted, late] = await meanwhile(() => admin().delete(`/sso/providers/${providerId}`), make);
    expect([deleted?.status, late?.status, late?.body.code]).toEqual([200, 404, 'sso_provider_not_found']);
  });

  it('is not tested', async () => {
    const providerId = await provider();
    const test = () => admin().post(`/sso/providers/${providerId}/test-sign-ins`).send({});
    const [deleted, late] = await meanwhile(() => admin().delete(`/sso/providers/${providerId}`), test);
    expect([deleted?.status, late?.status, late?.body.code]).toEqual([200, 404, 'sso_provider_not_found']);
  });
});

describe('a set-up link that is revoked at that moment', () => {
  it.each(['makes', 'changes'])('%s no provider (SSO-162)', async (what) => {
    const { partnerId, orgId } = tenant;
    const made = await sso.user({ email: `${newId()}@msp.example`, partnerId, role: ADMINISTRATOR });
    const author = sso.service.as({ ...tenant.admin, ...made, id: made.userId });
    const { id, url } = (await author.post('/sso/setup-links').send({ orgId }).expect(201)).body.data;
    const opened = await sso.anonymous.post('/sso/setup/visits').send({ token: String(url).split('#')[1] });
    const put = (body: object) =>
      sso.anonymous
        .put('/sso/setup/provider')
        .set('authorization', `Bearer ${opened.body.data.visitToken}`)
        .send({ type: 'oidc', issuer: idp.issuer, clientId: idp.clientId, ...body });
    if (what === 'changes') await put({ name: 'First' }).expect(200);
    const late = () => put({ name: 'Late', ...(what === 'changes' && { configVersion: 1 }) });
    const [revoked, refused] = await meanwhile(() => author.delete(`/sso/setup-links/${id}`), late);
    expect([revoked?.status, refused?.status, refused?.body.code]).toEqual([200, 401, 'setup_link_invalid']);
    const named = await sso.service.sql('SELECT name FROM sso_providers WHERE org_id = $1', [orgId]);
    expect(named).toEqual(what === 'changes' ? [{ name: 'First' }] : []);
  });
});

describe('an organisation that is archived at that moment', () => {
  it.each(['before', 'after'])(
    'has no open set-up link that is made %s, so that restoring it opens none',
    async (when) => {
      const { partnerId, orgId } = tenant;
      const make = () => admin().post('/sso/setup-links').send({ orgId });
      const state = { orgId, partnerId, name: 'Org', deleted: false, mergedIntoId: null, version: 2 } as const;
      const archive = () => sso.service.deliver(OrganizationChanged, { ...state, status: 'archived' });
      await make().expect(201);
      const calls = when === 'before' ? [make, archive] : [archive, make];
      await overlapping<unknown>(sso.service, NO_OUTBOX, ...calls);
      const open = 'SELECT FROM sso_setup_links WHERE org_id = $1 AND revoked_at IS NULL';
      expect(await sso.service.sql(open, [orgId])).toEqual([]);
    },
  );
});

describe('an organisation that is archived while other servers are asked', () => {
  it('gets no provider, and no proof of a domain', async () => {
    const { app } = sso.service.service;
    const { partnerId, orgId } = tenant;
    const domain = await admin()
      .post('/sso/domains')
      .send({ orgId, domain: `${newId()}.example` })
      .expect(201);
    const state = { orgId, partnerId, name: 'Org', deleted: false, mergedIntoId: null } as const;
    const becomes = (status: 'archived' | 'active', version: number): Promise<void> =>
      sso.service.deliver(OrganizationChanged, { ...state, status, version });
    const discovery = app.get(OidcDiscovery, { strict: false });
    const found = await discovery.discover(idp.issuer, 'test');
    jest.spyOn(discovery, 'discover').mockImplementationOnce(() => becomes('archived', 2).then(() => found));
    const provider = { orgId, name: 'Late', type: 'oidc', issuer: idp.issuer };
    expect((await admin().post('/sso/providers').send(provider)).body.code).toBe('organization_frozen');
    await becomes('active', 3);
    const proof = app.get(DomainProof, { strict: false });
    jest.spyOn(proof, 'look').mockImplementationOnce(() => becomes('archived', 4).then(() => 'found'));
    const verified = await admin().post(`/sso/domains/${domain.body.data.id}/verify`).send();
    expect(verified.body.code).toBe('organization_frozen');
    expect(await sso.service.sql('SELECT FROM sso_providers WHERE org_id = $1', [orgId])).toEqual([]);
    expect(await sso.service.sql('SELECT verified_at FROM sso_domains WHERE org_id = $1', [orgId])).toEqual([
      { verified_at: null },
    ]);
  });
});

describe('a sign-in through a provider', () => {
  it('makes no link anew that its person removes at that moment', async () => {
    const { person, signIn, user } = await linked();
    const unlink = () => user.delete(`/sso/link/${person.providerId}`);
    const [removed, late] = await meanwhile(unlink, await signIn());
    expect([removed?.status, errorIn(late!)]).toEqual([200, 'link_required']);
    expect(await linksOf(person)).toEqual([]);
    expect(await sessionsOf(person)).toEqual([]);
  });

  it('has to be proved by a person who becomes a break-glass user at that moment', async () => {
    const { person, signIn } = await linked();
    const promote = () => admin().patch(`/users/${person.userId}`).send({ breakGlass: true });
    const [promoted, late] = await meanwhile(promote, await signIn());
    expect([promoted?.status, errorIn(late!)]).toEqual([200, 'link_required']);
    expect(await sessionsOf(person)).toEqual([]);
  });

  /** A member with a password and a second factor, whom the provider has signed in before. */
  async function linked() {
    const providerId = await sso.provider(tenant, idp);
    const email = `${newId()}@corp.example`;
    const { partnerId, orgId } = tenant;
    const { userId } = await sso.user({ email, partnerId, orgId });
    idp.identity = { sub: newId(), email, email_verified: true, name: 'Known' };
    codeIn(await sso.signIn(tenant));
    await sso.service.sql(`INSERT INTO credentials (user_id, password_hash) VALUES ($1, 'set since')`, [userId]);
    await sso.service.sql(
      `INSERT INTO mfa_factors (id, user_id, kind, name, secret_sealed, confirmed_at)
        VALUES ($1, $2, 'totp', 'App', 'sealed', now())`,
      [newId(), userId],
    );
    await sso.service.sql('UPDATE sessions SET revoked_at = now() WHERE user_id = $1', [userId]);
    const user = sso.service.as(anOrgAdmin(partnerId, orgId, { userId, id: userId }));
    const signIn = async (): Promise<Call> => {
      const trip = await sso.start(tenant);
      const search = await sso.wayBack(trip);
      return () => sso.callback(search, trip.cookie);
    };
    return { person: { userId, providerId }, signIn, user };
  }
  const linksOf = ({ userId }: { userId: string }) =>
    sso.service.sql('SELECT FROM sso_identity_links WHERE user_id = $1', [userId]);
  const sessionsOf = ({ userId }: { userId: string }) =>
    sso.service.sql('SELECT FROM sessions WHERE user_id = $1 AND revoked_at IS NULL', [userId]);
});

type Call = () => PromiseLike<Response>;

const BEFORE_MEMBERSHIPS = 'LOCK TABLE memberships IN SHARE MODE';
const PASSWORD = 'a long enough passphrase';
const ADMINISTRATOR = '00000000-0000-7000-8000-000000000001';
const VIEWER = SYSTEM_ROLES.find(({ name }) => name === 'Organization Viewer')?.id ?? '';

/** The second call begins once the first has done all but commit. */
const meanwhile = (ending: Call, late: Call): Promise<Response[]> => overlapping(sso.service, NO_OUTBOX, ending, late);
const admin = (): Client => sso.service.as(tenant.admin);
const place = (roleId: string) => ({ scope: 'organization', orgId: tenant.orgId, roleId });
const invite = (email: string, membership: object) => admin().post('/users').send({ email, name: 'Pat', membership });

/** A member of the organisation, and of one of another partner, where the removal does not reach. */
async function member() {
  const email = `${newId()}@corp.example`;
  const { partnerId, orgId } = tenant;
  const { userId, membershipId } = await sso.user({ email, partnerId, orgId, password: PASSWORD });
  const elsewhere = await sso.tenant();
  await sso.identity.member(email, { partnerId: elsewhere.partnerId, orgId: elsewhere.orgId, roleId: VIEWER });
  const login = () => sso.identity.login(email, PASSWORD, { membershipId });
  const client = async (): Promise<Client> => sso.identity.holding((await login()).body.accessToken);
  return { userId, email, login, client };
}

const remove = ({ userId }: { userId: string }) =>
  sso.service.as(anOrgAdmin(tenant.partnerId, tenant.orgId)).delete(`/users/${userId}`);

/** @returns the session with the second factor */
async function enrol(client: Client): Promise<Client> {
  const { secret } = (await client.post('/auth/mfa/totp/enroll').expect(200)).body as { secret: string };
  const confirmed = await client.post('/auth/mfa/totp/confirm').send({ code: totp(secret) });
  return sso.identity.holding(confirmed.body.accessToken);
}

async function role(orgId = tenant.orgId): Promise<string> {
  const body = { name: newId(), axis: 'organization', orgId, permissions: ['devices:read'] };
  return (await admin().post('/roles').send(body).expect(201)).body.data.id;
}

async function provider(): Promise<string> {
  const { issuer, clientId, clientSecret } = idp;
  const body = { orgId: tenant.orgId, name: 'IdP', type: 'oidc', issuer, clientId, clientSecret };
  return (await admin().post('/sso/providers').send(body).expect(201)).body.data.id;
}
