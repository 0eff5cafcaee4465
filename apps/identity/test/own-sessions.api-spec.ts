import { SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { aPartnerAdmin, aPartnerTechnician, anApiKey, anOrgAdmin } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { claimsOf, type IdentityHarness, totp } from './identity.harness.ts';
import { besideAnIdp, codeIn, type ScriptedIdp, type SsoHarness, type Tenant } from './sso.harness.ts';

describe('sessions and memberships of a signed-in user', () => {
  let idp: ScriptedIdp;
  let sso: SsoHarness;
  let identity: IdentityHarness;
  let a: Tenant;
  let b: Tenant;
  besideAnIdp((made) => ({ idp, sso, tenant: a } = made));
  beforeEach(async () => {
    ({ identity } = sso);
    b = await sso.tenant();
  });

  it('says what a client needs to know: membership, rights, means and second factor (IDY-55)', async () => {
    const { email, userId, home, open } = await person();
    const client = await holding(await open());
    expect((await client.get('/auth/me')).body).toEqual({
      user: { id: userId, email, name: expect.any(String) },
      scope: 'organization',
      partnerId: a.partnerId,
      orgId: a.orgId,
      permissions: expect.any(Array),
      mfa: { satisfied: false, enrolled: false, methods: [], until: null },
      membership: {
        id: home,
        role: expect.any(String),
        partnerName: expect.any(String),
        orgName: expect.any(String),
        orgAccess: 'all',
        siteIds: [],
      },
      partnerWidePolicyRights: false,
      signedInVia: 'password',
    });
    const { secret } = (await client.post('/auth/mfa/totp/enroll')).body as { secret: string };
    const confirmed = await client.post('/auth/mfa/totp/confirm').send({ code: totp(secret) });
    const { mfa } = (await (await holding(confirmed)).get('/auth/me')).body as { mfa: { until: string } };
    expect(mfa).toMatchObject({ satisfied: true, methods: ['totp', 'recovery_code'] });
    const left = Date.parse(mfa.until) - Date.now();
    expect(left).toBeGreaterThan(11.9 * 3_600_000);
    expect(left).toBeLessThan(12.1 * 3_600_000);
  });

  it('lists memberships and switches to another, in place of the old session (IDY-56)', async () => {
    const { email, userId, home, elsewhere, open } = await person();
    const opened = await open();
    const client = await holding(opened);
    const listed = (await client.get('/auth/memberships')).body.data as { id: string; current: boolean }[];
    const members = ['current', 'id', 'orgId', 'orgName', 'partnerId', 'partnerName', 'role', 'scope'];
    expect(listed.map((one) => Object.keys(one).toSorted())).toEqual([members, members]);
    expect(listed.map(({ id, current }) => [id, current])).toEqual(
      expect.arrayContaining([
        [home, true],
        [elsewhere, false],
      ]),
    );
    const switched = await client.post('/auth/membership').send({ membershipId: elsewhere });
    expect(switched.body).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      expiresInSeconds: 900,
    });
    expect(await identity.principalOf(switched.body.accessToken)).toMatchObject({ orgId: b.orgId, userId });
    expect(await identity.introspect(opened.body.accessToken)).toEqual({ active: false, code: 'session_revoked' });
    expect(
      (await identity.anonymous.post('/auth/refresh').send({ refreshToken: opened.body.refreshToken })).status,
    ).toBe(401);
    const lifetimes = await sso.service.sql<{ same: boolean }>(
      'SELECT n.expires_at = o.expires_at AS same FROM sessions n, sessions o WHERE n.id = $1 AND o.id = $2',
      [claimsOf(switched.body.accessToken).sid, claimsOf(opened.body.accessToken).sid],
    );
    expect(lifetimes).toEqual([{ same: true }]);
    const entries = await Promise.all(['user.logout', 'user.login'].map((action) => sso.service.audits(action)));
    expect(entries.map((all) => all.at(-1))).toEqual([
      expect.objectContaining({ orgId: a.orgId, resource: { type: 'user', id: userId, name: email } }),
      expect.objectContaining({ orgId: b.orgId, details: expect.objectContaining({ via: 'membership_switch' }) }),
    ]);
  });

  it('switches by the rules of sign-in only (IDY-57)', async () => {
    const { elsewhere, open } = await person();
    const { elsewhere: foreign } = await person();
    const client = await holding(await open());
    const to = (membershipId: string) => client.post('/auth/membership').send({ membershipId });
    expect(codeOf(await to(foreign))).toBe('400 validation_failed');
    expect(codeOf(await to(newId()))).toBe('400 validation_failed');
    const key = identity.service.as(anApiKey({ level: 'partner', partnerId: a.partnerId }));
    expect(codeOf(await key.post('/auth/membership').send({ membershipId: elsewhere }))).toBe('403 permission_denied');
    expect(codeOf(await key.get('/auth/memberships'))).toBe('403 permission_denied');
    const c = await sso.tenant();
    const { elsewhere: enforced, open: openC } = await person(c);
    await sso.provider(c, idp, { enforceSSO: true });
    const governed = await holding(await openC());
    expect(ids(await governed.get('/auth/memberships'))).not.toContain(enforced);
    expect(codeOf(await governed.post('/auth/membership').send({ membershipId: enforced }))).toBe('403 sso_enforced');
    await sso.service.sql('UPDATE memberships SET suspended = true WHERE id = $1', [elsewhere]);
    expect(codeOf(await to(elsewhere))).toBe('400 validation_failed');
  });

  it('counts a switch that announced enforcement would refuse as such a sign-in (SSO-151)', async () => {
    const { elsewhere, open } = await person();
    const id = await sso.provider(b, idp);
    const staged = sso.service.as(b.admin).put(`/sso/providers/${id}/enforcement`).send({ stage: 'observe' });
    expect((await staged).status).toBe(200);
    const client = await holding(await open());
    expect((await client.post('/auth/membership').send({ membershipId: elsewhere })).status).toBe(200);
    expect((await sso.service.audits('user.login')).at(-1)?.details).toMatchObject({
      via: 'membership_switch',
      wouldBeGoverned: true,
    });
  });

  it('keeps a session that a provider opened in its own membership (IDY-58, ATK-05f)', async () => {
    const { userId, home, elsewhere, open } = await person();
    const [opened, other] = [await open(), await open({ membershipId: elsewhere })];
    const { sid } = claimsOf(opened.body.accessToken);
    await sso.service.sql(`UPDATE sessions SET via = 'sso' WHERE id = $1`, [sid]);
    const client = await holding(opened);
    expect(ids(await client.get('/auth/memberships'))).toEqual([home]);
    expect(codeOf(await client.post('/auth/membership').send({ membershipId: elsewhere }))).toBe(
      '403 permission_denied',
    );
    expect(ids(await client.get('/auth/sessions'))).toEqual([sid]);
    const others = claimsOf(other.body.accessToken).sid;
    expect(codeOf(await client.delete(`/auth/sessions/${others}`))).toBe('404 session_not_found');
    expect(ids(await (await holding(other)).get('/auth/sessions')).sort()).toEqual([sid, others].sort());
    expect(
      await sso.service.sql('SELECT FROM sessions WHERE user_id = $1 AND revoked_at IS NULL', [userId]),
    ).toHaveLength(2);
    await client.post('/auth/logout-all');
    expect(
      await sso.service.sql('SELECT id FROM sessions WHERE user_id = $1 AND revoked_at IS NULL', [userId]),
    ).toEqual([{ id: others }]);
  });

  it('renews the cookie of a browser that switches, for our own pages only (IDY-53)', async () => {
    const { elsewhere, open } = await person();
    const client = await holding(await open({ session: 'cookie' }));
    const to = (origin: string) =>
      client.post('/auth/membership').set('origin', origin).send({ membershipId: elsewhere });
    expect(codeOf(await to('https://evil.example'))).toBe('403 origin_denied');
    const switched = await to(OWN);
    expect(switched.body).toEqual({ accessToken: expect.any(String), expiresInSeconds: 900 });
    expect(switched.headers['set-cookie']).toEqual([expect.stringMatching(/^gatehouse_refresh=[\w-]{43};/)]);
  });

  it('lists the own sessions and ends one (IDY-59)', async () => {
    const { userId, open } = await person();
    const [one, two] = [await open(), await open()];
    const client = await holding(one);
    const [mine, gone] = [one, two].map(({ body }) => claimsOf(body.accessToken as string).sid);
    const { data } = (await client.get('/auth/sessions')).body as { data: { id: string; current: boolean }[] };
    expect(data.map(({ id, current }) => [id, current])).toEqual([
      [gone, false],
      [mine, true],
    ]);
    expect(data[0]).toMatchObject({ signedInVia: 'password', membership: { orgId: a.orgId }, mfaAt: null });
    const { open: openOther } = await person();
    const foreign = claimsOf((await openOther()).body.accessToken).sid;
    expect(codeOf(await client.delete(`/auth/sessions/${foreign}`))).toBe('404 session_not_found');
    expect((await client.delete(`/auth/sessions/${gone}`)).body).toEqual({ success: true });
    expect(await identity.introspect(two.body.accessToken)).toMatchObject({ active: false });
    expect(ids(await client.get('/auth/sessions'))).toEqual([mine]);
    expect((await sso.service.audits('session.revoke')).at(-1)).toMatchObject({
      orgId: a.orgId,
      resource: { type: 'session', id: gone },
      details: { reason: 'ended_by_user', userId },
    });
  });

  it('lists no session that ended by itself: not renewed in time, or never collected (IDY-59)', async () => {
    await sso.provider(a, idp);
    idp.identity = { sub: newId(), email: `${newId()}@corp.example`, email_verified: true, name: 'New Person' };
    const signIn = async () => (await sso.exchange(codeIn(await sso.signIn(a)))).body.accessToken as string;
    const [mine, idle] = [await signIn(), await signIn()];
    await sso.signIn(a);
    const client = await identity.holding(mine);
    expect(ids(await client.get('/auth/sessions'))).toHaveLength(3);
    const ended = claimsOf(idle).sid;
    await sso.service.sql('UPDATE refresh_tokens SET expires_at = now() WHERE session_id = $1', [ended]);
    await sso.service.sql('UPDATE sso_exchange_codes SET expires_at = now()');
    expect(ids(await client.get('/auth/sessions'))).toEqual([claimsOf(mine).sid]);
    expect(codeOf(await client.delete(`/auth/sessions/${ended}`))).toBe('404 session_not_found');
  });

  it("shows and ends another user's sessions within reach, to those who may change the user (IDY-60)", async () => {
    const { userId, elsewhere, open } = await person();
    const [here, there] = [await open(), await open({ membershipId: elsewhere })];
    const path = `/users/${userId}/sessions`;
    const boss = (overrides: object = {}) => identity.service.as(aPartnerAdmin(a.partnerId, overrides));
    const listed = await boss().get(path);
    expect(ids(listed)).toEqual([claimsOf(here.body.accessToken).sid]);
    expect(JSON.stringify(listed.body)).not.toContain(b.orgId);
    const refused = [
      await identity.service.as(aPartnerAdmin(newId())).get(path),
      await identity.service.as(aPartnerAdmin(newId())).delete(path),
      await identity.service.as(anOrgAdmin(a.partnerId, newId())).delete(path),
      await identity.service.as(aPartnerTechnician(a.partnerId)).delete(path),
      await boss({ mfa: false }).delete(path),
      await boss({ userId }).delete(path),
    ];
    expect(refused.map(codeOf)).toEqual([
      '404 user_not_found',
      '404 user_not_found',
      '404 user_not_found',
      '403 permission_denied',
      '403 mfa_required',
      '409 conflict',
    ]);
    expect((await boss().delete(path)).body).toEqual({ success: true });
    expect(await identity.introspect(here.body.accessToken)).toMatchObject({ active: false });
    expect(await identity.introspect(there.body.accessToken)).toMatchObject({ active: true });
    expect((await sso.service.audits('session.revoke')).at(-1)).toMatchObject({
      resource: { type: 'user', id: userId },
      details: { reason: 'ended_by_administrator', sessions: 1 },
    });
  });

  /** A user with a password, in organisations of two partners. */
  async function person(tenant = b) {
    const email = `${newId()}@corp.example`;
    const { userId } = await sso.user({ email, partnerId: a.partnerId, orgId: a.orgId, password: PASSWORD });
    const at = { partnerId: tenant.partnerId, orgId: tenant.orgId, roleId: ORG_VIEWER };
    const { membershipId } = await identity.member(email, at);
    const home = (
      await sso.service.sql<{ id: string }>('SELECT id FROM memberships WHERE user_id = $1 AND org_id = $2', [
        userId,
        a.orgId,
      ])
    )[0]?.id;
    const open = async (more: object = {}) => {
      const request = identity.anonymous.post('/auth/login').set('origin', OWN);
      return request.send({ email, password: PASSWORD, membershipId: home, ...more });
    };
    return { email, userId, elsewhere: membershipId, home: home ?? '', open };
  }
  const holding = ({ body }: Response) => identity.holding(body.accessToken as string);
});

const PASSWORD = 'an uncommon pass phrase';
const OWN = 'http://localhost:3000';
const ORG_VIEWER = SYSTEM_ROLES.find(({ name }) => name === 'Organization Viewer')?.id;
const ids = (answer: Response): string[] => (answer.body.data as { id: string }[]).map(({ id }) => id);
const codeOf = (answer: Response): string => `${answer.status} ${answer.body.code as string}`;
