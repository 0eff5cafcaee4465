import { stopwatch } from '@gatehouse/testing';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { GatewayHarness } from './gateway.harness.ts';

const gateway = await GatewayHarness.start({
  PUBLIC_URL: 'https://app.example',
  TRUSTED_PROXIES: '127.0.0.1, 10.0.0.9',
});
afterAll(() => gateway.stop());
afterEach(() => {
  gateway.upstreams.pam.answer = (_, response) =>
    response.setHeader('content-type', 'application/json').end('{"ok":true}');
});

describe('the routing table', () => {
  it.each([
    ['/api/v1/auth/login', 'identity'],
    ['/api/v1/sso/providers', 'identity'],
    ['/.well-known/jwks.json', 'identity'],
    ['/api/v1/.well-known/jwks.json', 'identity'],
    ['/api/v1/partners/me/login-branding', 'identity'],
    ['/api/v1/orgs/partners/me', 'tenancy'],
    ['/api/v1/devices/1/move', 'tenancy'],
    ['/api/v1/agents/enroll', 'tenancy'],
    ['/api/v1/agents/1/config', 'tenancy'],
    ['/api/v1/devices/1/actuate-elevation', 'pam'],
    ['/api/v1/approvals/1/approve', 'pam'],
    ['/api/v1/agents/1/elevation-requests', 'pam-ingest'],
    ['/api/v1/agents/1/commands/2/result', 'pam-ingest'],
    ['/api/v1/audit-logs/export', 'audit'],
    ['/api/v1/events/stream', 'notifier'],
  ] as const)('sends %s to %s', async (path, name) => {
    await gateway.get(`${path}?limit=1&limit=100&x[]=%2e`);
    expect(gateway.upstreams[name].last.url).toBe(`${path}?limit=1&limit=100&x[]=%2e`);
  });

  it.each([
    '/internal/x',
    '/api/v1/internal/introspect',
    '/metrics',
    '/health/details',
    '/health/ready',
    '/api/v1/agents/1/secrets',
    '/api/v1/users-of-others',
    '/API/v1/users',
    '/api/v1/partners/1',
    '/api/v1/%70am/rules',
    '/api/v1/pam/..%2fx',
  ])('routes nothing at %s', async (path) => {
    const answer = await gateway.get(path);
    expect(answer.body).toMatchObject({ status: 404, code: 'route_not_found', requestId: expect.any(String) });
  });

  it('takes no absolute-form target and no unknown verb', async () => {
    expect((await gateway.get('http://x/api/v1/pam/rules')).status).toBe(400);
    expect((await gateway.call('/api/v1/pam/rules', { method: 'TRACE' })).status).toBe(404);
  });
});

describe('the objectives', () => {
  it('count a decision that a service answers as met, and one that it cannot answer as missed', async () => {
    const decide = (): Promise<unknown> => gateway.call('/api/v1/approvals/1/approve?x=1', { method: 'POST' });
    const counts = async (): Promise<number[]> => {
      const text = await gateway.service.service.platform.metrics.text();
      return ['met', 'missed'].map((result) =>
        Number(new RegExp(`objective="decision",result="${result}",service="gateway"} (\\d+)`).exec(text)?.[1]),
      );
    };
    const [met = NaN, missed = NaN] = await counts();
    await decide();
    gateway.upstreams.pam.answer = (_, response) => response.writeHead(503, json).end('{}');
    await decide();
    await gateway.get('/api/v1/pam/rules');
    expect(await counts()).toEqual([met + 1, missed + 1]);
  });
});

describe('agents that wait for commands', () => {
  it('are counted, and one more than the process has room for is asked to try again', async () => {
    const small = await GatewayHarness.start({ MAX_WAITING_AGENTS: '2' });
    const waiting = async (): Promise<unknown> =>
      /gatehouse_waiting_agents\{service="gateway"\} (\d)/.exec(
        await small.service.service.platform.metrics.text(),
      )?.[1];
    const { 'pam-ingest': ingest } = small.upstreams;
    const answers: (() => void)[] = [];
    ingest.answer = (_, response) => void answers.push(() => response.writeHead(200, json).end('{}'));
    const polls = [1, 2].map((agent) => small.get(`/api/v1/agents/${agent}/commands?wait=25`));
    while (answers.length < 2) await new Promise(setImmediate);
    expect(await waiting()).toBe('2');
    const refused = await small.get('/api/v1/agents/3/commands?wait=25');
    expect(refused.body).toMatchObject({ status: 503, code: 'unavailable' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(5);
    for (const answer of answers) answer();
    expect((await Promise.all(polls)).map(({ status }) => status)).toEqual([200, 200]);
    while ((await waiting()) !== '0') await new Promise(setImmediate);
    await small.stop();
  });
});

describe('a request', () => {
  it('passes its body byte by byte, and of its headers the known ones', async () => {
    const body = Buffer.from('{"a":"é", "b": [1 ]}');
    await gateway.call('/api/v1/pam/rules', {
      method: 'POST',
      headers: { ...json, 'Idempotency-Key': 'k', cookie: 'svc=1', 'x-http-method-override': 'DELETE' },
      body,
    });
    const { method, headers, body: seen } = gateway.upstreams.pam.last;
    expect({ method, body: seen.equals(body) }).toEqual({ method: 'POST', body: true });
    expect(headers).toMatchObject({ 'idempotency-key': 'k', 'content-type': 'application/json' });
    expect(headers).not.toHaveProperty('cookie');
    expect(headers).not.toHaveProperty('x-http-method-override');
  });

  it('brings no trace of its own into the services', async () => {
    await gateway.call('/api/v1/pam/rules', {
      headers: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', tracestate: 'vendor=1' },
    });
    const { headers } = gateway.upstreams.pam.last;
    expect(headers).not.toHaveProperty('traceparent');
    expect(headers).not.toHaveProperty('tracestate');
  });

  it.each(['client-id-1', 'x', 'A_b.9-'.repeat(10), 'f'.repeat(64)])(
    'R-60: a request always gets an id of ours, and its own id %s goes beside it',
    async (own) => {
      const answer = await gateway.call('/api/v1/pam/rules', { headers: { 'x-request-id': own } });
      const { headers } = gateway.upstreams.pam.last;
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(headers).toMatchObject({
        'x-request-id': answer.headers['x-request-id'],
        'x-client-request-id': own,
      });
      const { body } = await gateway.call('/api/v1/nothing', { headers: { 'x-request-id': own } });
      expect(body).toMatchObject({ clientRequestId: own, requestId: expect.not.stringContaining(own) });
    },
  );

  it.each(['', 'a b', 'f'.repeat(65), 'a,b', '<x>'])(
    'ATK-200: a malformed request id %j is dropped, and so is a header that only the gateway sets',
    async (own) => {
      const headers = { 'x-request-id': own, 'x-client-request-id': 'forged' };
      await gateway.call('/api/v1/pam/rules', { headers });
      expect(gateway.upstreams.pam.last.headers).not.toHaveProperty('x-client-request-id');
      const { body } = await gateway.call('/api/v1/nothing', { headers });
      expect(body).not.toHaveProperty('clientRequestId');
    },
  );

  it('comes from the address right of what a client could have written itself (AUTH-06)', async () => {
    await gateway.call('/api/v1/pam/rules', { headers: { 'x-forwarded-for': '6.6.6.6, 203.0.113.5, 10.0.0.9' } });
    expect(await gateway.vouchedFor('pam')).toMatchObject({ ip: '203.0.113.5' });
  });

  it.each([
    ['/api/v1/pam/rules', 100 * 1024],
    ['/api/v1/agents/1/elevation-requests', 32 * 1024],
    ['/api/v1/partners/me/login-branding', 512 * 1024],
    ['/api/v1/pam/signer-groups', 2 * 1024 * 1024],
    ['/api/v1/sso/saml/acs', 512 * 1024],
    ['/api/v1/orgs/contacts/import', 8 * 1024 * 1024],
    ['/api/v1/custom-fields/import', 8 * 1024 * 1024],
    ['/api/v1/scripts', 8 * 1024 * 1024],
  ])('to %s may hold %d bytes and no more, chunked or not', async (path, limit) => {
    const headers = {
      ...json,
      ...(path.includes('agents') ? {} : { authorization: `Bearer ${(await gateway.signIn()).token}` }),
    };
    const call = (length: number, chunked: boolean) =>
      gateway
        .call(path, { method: 'POST', headers, body: Buffer.alloc(length, 32), chunked })
        .then(({ status }) => status);
    expect(await call(limit, false)).toBe(200);
    expect(await call(limit, true)).toBe(200);
    expect(await call(limit + 1, false)).toBe(413);
    expect(await call(limit + 1, true)).toBe(413);
  });

  it('is refused when its body is compressed: limits count what is on the wire', async () => {
    const answer = await gateway.call('/api/v1/agents/1/elevation-requests', {
      method: 'POST',
      headers: { ...json, 'content-encoding': 'gzip' },
      body: gzipSync('{}'),
    });
    expect(answer.body).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  });

  it('is refused with too many headers or too long an address', async () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`x-${at}`, '1']));
    expect((await gateway.call('/api/v1/pam/rules', { headers: many })).status).toBe(431);
    expect((await gateway.get(`/api/v1/pam/rules?x=${'a'.repeat(8_100)}`)).status).toBe(400);
    expect((await gateway.get('/api/v1/pam/rules', 'a'.repeat(20_000))).status).toBe(431);
  });
});

describe('an answer', () => {
  it('carries the headers that protect a browser, and nothing of the inside', async () => {
    gateway.upstreams.pam.answer = (_, response) =>
      response
        .writeHead(418, { server: 'inside', 'x-powered-by': 'inside', 'set-cookie': 'a=1', 'x-internal': '1' })
        .end('tea');
    for (const path of ['/api/v1/pam/rules', '/nowhere', '/healthz', '/docs']) {
      const { headers } = await gateway.get(path);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      for (const name of ['server', 'x-powered-by', 'set-cookie', 'x-internal', 'strict-transport-security'])
        expect(headers).not.toHaveProperty(name);
    }
    expect(await gateway.get('/api/v1/pam/rules')).toMatchObject({ status: 418, text: 'tea' });
  });

  it('sets cookies and redirects on the sign-in routes', async () => {
    const { identity } = gateway.upstreams;
    const usual = identity.answer;
    identity.answer = (_, response) =>
      response.writeHead(302, { location: 'https://idp.example/', 'set-cookie': ['a=1; HttpOnly', 'b=2'] }).end();
    const answer = await gateway.call('/api/v1/sso/login/1', { headers: { cookie: 'svc_sso_state=x' } });
    identity.answer = usual;
    expect(answer).toMatchObject({
      status: 302,
      headers: { location: 'https://idp.example/', 'set-cookie': ['a=1; HttpOnly', 'b=2'] },
    });
    expect(identity.last.headers.cookie).toBe('svc_sso_state=x');
  });

  it('may be read by our own pages only (XCH-09)', async () => {
    const ours = await gateway.call('/api/v1/pam/rules', { headers: { origin: 'https://app.example' } });
    expect(ours.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-expose-headers': expect.stringContaining('etag'),
      vary: 'origin',
    });
    const preflight = await gateway.call('/api/v1/pam/rules', {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'PATCH' },
    });
    expect([preflight.status, preflight.headers]).toMatchObject([
      204,
      {
        'access-control-allow-methods': expect.stringContaining('PATCH'),
        'access-control-allow-headers': expect.stringMatching(/idempotency-key, if-match, last-event-id/),
      },
    ]);
    for (const origin of [
      'null',
      'https://evil.example',
      'https://evil-app.example',
      'https://app.example.evil.example',
      'http://app.example',
    ]) {
      const { headers } = await gateway.call('/api/v1/pam/rules', { headers: { origin } });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      expect(headers).toMatchObject({ vary: 'origin' });
    }
    const page = await gateway.call('/nowhere', { headers: { accept: 'text/html' } });
    expect(page.headers).toMatchObject({ vary: 'accept, origin' });
  });

  it('is streamed: the first part arrives before the last is made', async () => {
    let finish = (): void => undefined;
    gateway.upstreams.pam.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('first');
      finish = () => response.end('last');
    };
    const answer = await fetch(`${gateway.service.url}/api/v1/pam/rules`);
    const reader = answer.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first');
    finish();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('last');
  });

  it('that its reader leaves is left by the gateway too', async () => {
    const closed = new Promise<void>((resolve) => {
      gateway.upstreams.pam.answer = (_, response) => response.on('close', resolve).write('x');
    });
    const leaving = new AbortController();
    const answer = await fetch(`${gateway.service.url}/api/v1/pam/rules`, { signal: leaving.signal });
    expect(answer.status).toBe(200);
    leaving.abort();
    await closed;
  });
});

describe('a service that is away', () => {
  it('is 503 with Retry-After and without its address, and is found again when it is back', async () => {
    const { audit } = gateway.upstreams;
    await audit.stop();
    const answer = await gateway.get('/api/v1/audit-logs');
    expect(answer.body).toMatchObject({ status: 503, code: 'unavailable' });
    expect(answer.headers['retry-after']).toBe('2');
    expect(answer.text).not.toMatch(/127\.0\.0\.1|ECONN|:\d{4}/);
    await audit.restart();
    expect((await gateway.get('/api/v1/audit-logs')).status).toBe(200);
  });

  it('is asked again for a GET whose connection broke, and never for a POST', async () => {
    const { pam } = gateway.upstreams;
    let breaks = 1;
    pam.answer = (_, response) => (breaks-- > 0 ? void response.destroy() : void response.end('{}'));
    expect((await gateway.get('/api/v1/pam/rules')).status).toBe(200);
    breaks = 1;
    const before = pam.seen.length;
    expect((await gateway.call('/api/v1/pam/rules', { method: 'POST', headers: json, body: '{}' })).status).toBe(503);
    expect(pam.seen.length).toBe(before + 1);
  });

  it('makes a credential that cannot be checked a 503 and never a way in', async () => {
    const { identity } = gateway.upstreams;
    const { token } = await gateway.signIn();
    const usual = identity.answer;
    identity.answer = (_, response) => void response.writeHead(500).end();
    const reached = gateway.upstreams.pam.seen.length;
    expect((await gateway.get('/api/v1/pam/rules', token)).body).toMatchObject({ status: 503, code: 'unavailable' });
    identity.answer = usual;
    expect(gateway.upstreams.pam.seen.length).toBe(reached);
  });
});

describe("the gateway's own pages", () => {
  it.each([
    ['/healthz', 'application/json'],
    ['/login', 'text/html'],
    ['/docs', 'text/html'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript'],
    ['/docs/swagger-ui.css', 'text/css'],
    ['/api/v1/openapi.json', 'application/json'],
  ])('%s answers %s', async (path, type) => {
    const { status, headers, text } = await gateway.get(path);
    expect(status).toBe(200);
    expect(headers['content-type']).toContain(type);
    expect(text.length).toBeGreaterThan(10);
  });

  it('name no other site', async () => {
    const { text, headers } = await gateway.get('/docs');
    expect(text).not.toMatch(/https?:\/\//);
    expect(headers['content-security-policy']).toContain("script-src 'self'");
  });
});

describe('stopping', () => {
  it('waits for no connection that only stands open: an event stream, or one that never carried a request', async () => {
    const other = await GatewayHarness.start();
    other.upstreams.notifier.answer = (_, response) =>
      void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
    const stream = await fetch(`${other.service.url}/api/v1/events/stream`);
    const unused = connect(Number(new URL(other.service.url).port), '127.0.0.1');
    await once(unused, 'connect');
    const spent = stopwatch();
    await Promise.all([other.stop(), stream.text().catch(() => 'cut')]);
    expect(spent()).toBeLessThan(3_000);
  });
});

const json = { 'content-type': 'application/json' };
