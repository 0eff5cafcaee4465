import { newId, randomToken, sha256Hex } from '@gatehouse/crypto';
import { anApiKey, aPartnerAdmin, stopwatch } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { GatewayHarness } from './gateway.harness.ts';

const gateway = await GatewayHarness.start();
afterAll(() => gateway.stop());

describe('who is calling', () => {
  it('is told to the service in an identity that the gateway signs for that service alone', async () => {
    const { token, principal } = await gateway.signIn(aPartnerAdmin(newId()));
    expect((await gateway.get('/api/v1/pam/rules', token)).status).toBe(200);
    expect(await gateway.vouchedFor('pam')).toMatchObject({ principal, service: null, ip: '127.0.0.1' });
    await expect(
      gateway.verifiers.tenancy.verify(String(gateway.upstreams.pam.last.headers['x-gatehouse-identity'])),
    ).rejects.toThrow('aud');
    expect(gateway.upstreams.pam.last.headers.authorization).toBeUndefined();
  });

  it('has no identity without a credential, whatever identity-like headers a client sends (TOK-15)', async () => {
    const headers = {
      'x-user-id': newId(),
      'X-Org-Id': newId(),
      'x-scope': 'system',
      x_user_id: newId(),
      'X-Gatehouse-Identity': 'forged',
      'x-forwarded-for': '1.2.3.4',
    };
    expect((await gateway.call('/api/v1/pam/rules', { headers })).status).toBe(200);
    const { headers: seen } = gateway.upstreams.pam.last;
    expect(Object.keys(seen).filter((name) => /user-id|org-id|scope|user_id|forwarded/.test(name))).toEqual([]);
    expect(await gateway.vouchedFor('pam')).toMatchObject({ principal: null, ip: '127.0.0.1' });
  });

  it('is no visitor of a set-up link, at public addresses or others, in whichever header (SETUP-07)', async () => {
    const visit = `ghv_${randomToken()}`;
    for (const path of ['auth/login-context', '.well-known/jwks.json', 'sso/setup/visits', 'devices', 'agents/enroll'])
      for (const headers of [{ authorization: `bearer  ${visit}` }, { 'x-api-key': visit }] as Record<
        string,
        string
      >[]) {
        if (path === 'agents/enroll' && 'x-api-key' in headers) continue;
        const { body } = await gateway.call(`/api/v1/${path}`, { headers });
        expect([path, body]).toEqual([path, expect.objectContaining({ status: 401, code: 'token_invalid' })]);
      }
    expect((await gateway.call('/api/v1/sso/setup', { headers: { authorization: `Bearer ${visit}` } })).status).toBe(
      200,
    );
    expect((await gateway.get('/api/v1/auth/login-context', 'an.unknown.token')).status).toBe(200);
  });

  it('is found by an API key in either header, and by its hash only', async () => {
    const key = `ghk_${randomToken()}`;
    const principal = anApiKey();
    gateway.principals.set(sha256Hex(key), { active: true, principal });
    await gateway.call('/api/v1/devices', { headers: { 'x-api-key': key } });
    expect(await gateway.vouchedFor('tenancy')).toMatchObject({ principal });
    await gateway.get('/api/v1/devices', key);
    expect(await gateway.vouchedFor('tenancy')).toMatchObject({ principal });
    expect(gateway.upstreams.identity.seen.some(({ body }) => body.includes(key))).toBe(false);
    expect((await gateway.get('/api/v1/devices', `ghk_${randomToken()}`)).body).toMatchObject({
      status: 401,
      code: 'token_invalid',
    });
    expect((await gateway.get('/api/v1/devices', 'ghk_short')).body).toMatchObject({
      status: 401,
      code: 'token_invalid',
    });
  });

  it('is asked of identity once for many requests within two seconds', async () => {
    const { token } = await gateway.signIn();
    const before = gateway.questions;
    await Promise.all(Array.from({ length: 20 }, () => gateway.get('/api/v1/pam/rules', token)));
    expect(gateway.questions).toBe(before + 1);
  });

  it('is asked again when the connection to identity breaks: the question is idempotent', async () => {
    const { identity } = gateway.upstreams;
    const { token } = await gateway.signIn();
    const usual = identity.answer;
    let breaks = 2;
    identity.answer = (seen, response) =>
      seen.url.endsWith('/internal/introspect') && breaks-- > 0 ? void response.destroy() : usual(seen, response);
    expect((await gateway.get('/api/v1/pam/rules', token)).status).toBe(200);
    expect(breaks).toBe(-1);
    identity.answer = usual;
  });

  it('ends within five seconds after the session was revoked (TOK-06, TOK-07)', async () => {
    const { token, sid } = await gateway.signIn();
    expect((await gateway.get('/api/v1/pam/rules', token)).status).toBe(200);
    gateway.principals.delete(sid);
    const spent = stopwatch();
    let last = await gateway.get('/api/v1/pam/rules', token);
    while (last.status === 200 && spent() < 5_000) last = await gateway.get('/api/v1/pam/rules', token);
    expect(last.body).toMatchObject({ status: 401, code: 'session_revoked' });
  });
});

describe('a body larger than most routes take', () => {
  const LARGE = [
    '/api/v1/orgs/contacts/import',
    '/api/v1/devices/custom-fields/import/preview',
    '/api/v1/partners/me/login-branding',
  ];

  it.each(LARGE)('is not read for a caller without a credential: %s', async (path) => {
    for (const framing of [{ 'content-length': '400000' }, { 'transfer-encoding': 'chunked' }] as Record<
      string,
      string
    >[]) {
      expect(await answerTo(begin(path, framing))).toBe('401 not_authenticated');
      expect(await answerTo(begin(path, { ...framing, authorization: 'Basic YTpi' }))).toBe('401 not_authenticated');
      expect(await answerTo(begin(path, { ...framing, authorization: 'Bearer not-a-token' }))).toBe(
        '401 token_invalid',
      );
      expect(
        await answerTo(
          begin(path, {
            ...framing,
            authorization: `Bearer ${await gateway.tokenFor({ sub: newId(), sid: newId() })}`,
          }),
        ),
      ).toBe('401 session_revoked');
      expect(await answerTo(begin(path, { ...framing, 'x-api-key': `ghk_${randomToken()}` }))).toBe(
        '401 token_invalid',
      );
    }
  });

  it('goes no further when the session ends while it comes in', async () => {
    const { token, sid } = await gateway.signIn();
    const begun = begin('/api/v1/orgs/contacts/import', {
      authorization: `Bearer ${token}`,
      'transfer-encoding': 'chunked',
    });
    await wait(200);
    gateway.principals.delete(sid);
    await wait(2_100);
    const answer = answerTo(begun);
    begun.end(Buffer.alloc(400_000, 32));
    expect(await answer).toBe('401 session_revoked');
  });

  const begin = (path: string, headers: Record<string, string>): ClientRequest => {
    const begun = request(`${gateway.service.url}${path}`, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', ...headers },
    });
    begun.setTimeout(3_000, () => begun.destroy(new Error('the gateway waits for the body'))).flushHeaders();
    return begun;
  };
  const answerTo = async (begun: ClientRequest): Promise<string> => {
    const [response] = (await once(begun, 'response')) as [IncomingMessage];
    const [text] = (await once(response, 'data')) as [Buffer];
    begun.destroy();
    return `${response.statusCode} ${(JSON.parse(text.toString()) as { code: string }).code}`;
  };
});

describe('an access token', () => {
  it('is refused as expired when it has expired (TOK-02)', async () => {
    expect(
      (await gateway.get('/api/v1/pam/rules', await gateway.tokenFor(claims(), { exp: '-1s' }))).body,
    ).toMatchObject({ status: 401, code: 'token_expired' });
  });

  it('is refused before its time (TOK-02)', async () => {
    expect(
      (await gateway.get('/api/v1/pam/rules', await gateway.tokenFor(claims(), { nbf: '5m' }))).body,
    ).toMatchObject({ status: 401, code: 'token_invalid' });
  });

  it('cannot be any other token of ours: a refresh token or exchange code, or an internal identity (TOK-03)', async () => {
    const { token } = await gateway.signIn();
    await gateway.get('/api/v1/pam/rules', token);
    for (const other of [randomToken(), String(gateway.upstreams.pam.last.headers['x-gatehouse-identity'])]) {
      expect((await gateway.get('/api/v1/pam/rules', other)).body).toMatchObject({
        status: 401,
        code: 'token_invalid',
      });
    }
  });

  it.each(['typ', 'iss', 'aud', 'kid'])('is refused with another %s (TOK-02)', async (member) => {
    const answer = await gateway.get('/api/v1/pam/rules', await gateway.tokenFor(claims(), { [member]: 'other' }));
    expect(answer.body).toMatchObject({ status: 401, code: 'token_invalid' });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it('is refused when forged: unsigned, signed by a stranger, by a shared secret, edited or cut (TOK-01)', async () => {
    const stranger = await generateKeyPair('ES256');
    const { token } = await gateway.signIn();
    const [head, payload = '', signature = ''] = token.split('.');
    const edited = Buffer.from(
      JSON.stringify({ ...(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object), scope: 'system' }),
    ).toString('base64url');
    const forged = [
      new UnsecuredJWT(claims()).setIssuer('gatehouse').setAudience('gatehouse-api').setExpirationTime('1h').encode(),
      await gateway.tokenFor(claims(), { key: stranger.privateKey }),
      await new SignJWT(claims())
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: 'k1' })
        .setExpirationTime('1h')
        .sign(Buffer.alloc(32, 1)),
      [head, edited, signature].join('.'),
      [head, payload, signature.slice(0, -4)].join('.'),
      [head, payload].join('.'),
      'not-a-token',
    ];
    for (const candidate of forged)
      expect((await gateway.get('/api/v1/pam/rules', candidate)).body).toMatchObject({
        status: 401,
        code: 'token_invalid',
      });
  });

  it('counts in the Authorization header only (TOK-14)', async () => {
    const { token } = await gateway.signIn();
    await gateway.get(`/api/v1/pam/rules?access_token=${token}`);
    expect(await gateway.vouchedFor('pam')).toMatchObject({ principal: null });
    expect(
      (await gateway.call('/api/v1/pam/rules', { headers: { authorization: `Basic ${token}` } })).body,
    ).toMatchObject({ status: 401, code: 'not_authenticated' });
  });

  it('does not stand in the way of signing in anew', async () => {
    const expired = await gateway.tokenFor(claims(), { exp: '-1s' });
    expect(
      (
        await gateway.call('/api/v1/auth/refresh', {
          method: 'POST',
          headers: { authorization: `Bearer ${expired}`, 'content-type': 'application/json' },
          body: '{}',
        })
      ).status,
    ).toBe(200);
  });

  const claims = (): { sub: string; sid: string } => ({ sub: newId(), sid: newId() });
});

describe('an agent token', () => {
  it("goes on to the agents' routes, where it is verified", async () => {
    expect((await gateway.get(`/api/v1/agents/${newId()}/commands`, agentToken)).status).toBe(200);
    expect(gateway.upstreams['pam-ingest'].last.headers.authorization).toBe(`Bearer ${agentToken}`);
    expect(await gateway.vouchedFor('pam-ingest')).toMatchObject({ principal: null });
  });

  it("opens nothing else, and a person's token opens no agents' route (TOK-03)", async () => {
    expect((await gateway.get('/api/v1/pam/rules', agentToken)).body).toMatchObject({
      status: 401,
      code: 'token_invalid',
    });
    const { token } = await gateway.signIn();
    expect((await gateway.get(`/api/v1/agents/${newId()}/commands`, token)).body).toMatchObject({
      status: 401,
      code: 'token_invalid',
    });
  });

  const agentToken = `gha_${randomToken()}`;
});
