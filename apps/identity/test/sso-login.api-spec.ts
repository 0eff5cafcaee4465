import { newId } from '@gatehouse/crypto';
import { signInAs } from '@gatehouse/dev-idp';
import { afterAll, describe, expect, it } from '@jest/globals';
import { codeIn, errorIn, landing, SsoHarness, startDevIdp } from './sso.harness.ts';
import { claimsOf } from './identity.harness.ts';

const idp = await startDevIdp();
const sso = await SsoHarness.start([idp.issuer]);
afterAll(async () => {
  await sso.stop();
  await idp.stop();
});

describe('signing in through a real OpenID provider', () => {
  it('creates the person, exchanges the code once, and confines the session to the organisation (FLOW-20, RED-07, XCH-01)', async () => {
    const tenant = await sso.tenant();
    const providerId = await sso.provider(tenant, idp, { trustsIdpMfa: true });
    const trip = await sso.start(tenant, '/devices?page=2');
    const asked = new URL(trip.url);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'gatehouse',
      scope: 'openid profile email',
      redirect_uri: 'http://localhost:3000/api/v1/sso/callback',
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^.{43}$/),
      nonce: expect.stringMatching(/^.{43}$/),
      code_challenge: expect.stringMatching(/^.{43}$/),
    });
    expect(trip.setCookie).toMatch(
      /^svc_sso_state=[\w-]{43}\.[\w-]{43}; Path=\/api\/v1\/sso\/callback; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );

    const answer = await sso.callback(new URL(await signInAs('ada@acme.example', trip.url)).search, trip.cookie);
    expect([answer.status, landing(answer)]).toEqual([
      302,
      expect.stringMatching(/^\/devices\?page=2#ssoCode=[\w-]{43}$/),
    ]);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'set-cookie': [expect.stringContaining('svc_sso_state=; Path=/api/v1/sso/callback; Max-Age=0'), BROWSER_COOKIE],
    });

    const tokens = await sso.exchange(codeIn(answer));
    expect(tokens.body).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      expiresInSeconds: 900,
    });
    expect(tokens.headers['cache-control']).toBe('no-store');
    const principal = await sso.identity.principalOf(tokens.body.accessToken);
    expect(principal).toMatchObject({
      level: 'organization',
      orgId: tenant.orgId,
      orgs: [tenant.orgId],
      email: 'ada@acme.example',
      name: 'Ada Lovelace',
      mfa: true,
    });
    expect((await sso.exchange(codeIn(answer))).body).toMatchObject({ status: 400, code: 'exchange_code_invalid' });
    const recorded = await sso.service.audits();
    expect(recorded.filter(({ orgId }) => orgId === tenant.orgId).map(({ action }) => action)).toEqual([
      'sso.provider.create',
      'sso.provider.status.update',
      'user.create',
      'sso.login.success',
    ]);
    expect(recorded.at(-1)).toMatchObject({
      actor: { type: 'user', id: principal.userId },
      resource: { id: providerId },
    });
  });

  it('finds the person again by identity, and asks for a second factor of our own unless the provider is trusted for it (LINK-13)', async () => {
    const tenant = await sso.tenant();
    await sso.provider(tenant, idp);
    await sso.user({ email: 'ada@corp.example', partnerId: tenant.partnerId, orgId: tenant.orgId });
    idp.users.push({ sub: 'ada-2', email: 'Ada@Corp.example', email_verified: true, name: 'Ada Two', amr: ['mfa'] });
    const subjects = [];
    for (const _ of [1, 2]) {
      const trip = await sso.start(tenant);
      const tokens = await sso.exchange(
        codeIn(await sso.callback(new URL(await signInAs('Ada@Corp.example', trip.url)).search, trip.cookie)),
      );
      subjects.push(claimsOf(tokens.body.accessToken).sub);
      expect((await sso.identity.principalOf(tokens.body.accessToken)).mfa).toBe(false);
    }
    expect(new Set(subjects).size).toBe(1);
    expect(await sso.service.sql('SELECT FROM users WHERE email = $1', ['ada@corp.example'])).toHaveLength(1);
  });

  it('refuses a person whose address the provider says is not verified (LINK-01)', async () => {
    const tenant = await sso.tenant();
    await sso.provider(tenant, idp);
    const before = await sso.counts();
    const trip = await sso.start(tenant);
    const answer = await sso.callback(new URL(await signInAs('grace@acme.example', trip.url)).search, trip.cookie);
    expect(errorIn(answer)).toBe('email_unverified');
    expect(await sso.counts()).toEqual(before);
    expect(await sso.service.audits('sso.login.rejected')).toMatchObject([
      { result: 'failure', orgId: tenant.orgId, details: { code: 'email_unverified' } },
    ]);
  });

  it('answers 404 alike for an unknown organisation, a malformed id and one without an active provider, and sets no cookie (FLOW-22)', async () => {
    const { orgId } = await sso.tenant();
    for (const id of [orgId, newId(), 'nonsense']) {
      const answer = await sso.anonymous.get(`/sso/login/${id}`);
      expect(answer.body).toMatchObject({
        status: 404,
        detail: 'There is no active SSO provider for this organization.',
      });
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });
});

const BROWSER_COOKIE = expect.stringMatching(
  /^svc_sso_browser=[\w-]{43}; Path=\/api\/v1\/sso; Max-Age=120; HttpOnly; SameSite=Lax$/,
);
