import { describe, expect, it } from '@jest/globals';
import { createGatehouse, type Gatehouse, GatehouseError, type GatehouseOptions, memoryTokens, ok } from './index.ts';

const PROBLEM = { type: 't', title: 't', detail: 'd', requestId: 'r' };
const problem = (status: number, code: string, headers: Record<string, string> = {}): Answer => ({
  status,
  body: { ...PROBLEM, status, code },
  headers,
});
const done: Answer = { status: 200, body: { success: true } };
const tokens = (name: string): Answer => ({
  status: 200,
  body: { accessToken: `${name}-access`, refreshToken: `${name}-refresh`, expiresInSeconds: 900 },
});
const RESPOND = '/pam/elevation-requests/x/respond';

describe('a session', () => {
  it('is not told to have ended where the server cannot renew it now', async () => {
    const { fetch } = server({
      '/auth/me': [problem(401, 'token_expired')],
      '/auth/refresh': [problem(503, 'unavailable')],
    });
    const store = memoryTokens(SESSION);
    const gatehouse = client(fetch, { tokens: store });
    const answers = await Promise.all([gatehouse.GET('/auth/me'), gatehouse.GET('/auth/me')]);
    expect(answers.map(({ error }) => error?.code)).toEqual(['unavailable', 'unavailable']);
    expect(await store.read()).toEqual(SESSION);
  });

  it('is renewed once for all requests that find it expired, and each is sent again with its body', async () => {
    const { sent, fetch, paths } = server({
      [RESPOND]: [problem(401, 'token_expired'), problem(401, 'token_expired'), done],
      '/auth/refresh': [tokens('new')],
    });
    const store = memoryTokens(SESSION);
    const gatehouse = client(fetch, { tokens: store });
    const answers = await Promise.all([respond(gatehouse), respond(gatehouse)]);
    expect(answers.map(({ response }) => response.status)).toEqual([200, 200]);
    expect(paths().filter((path) => path === '/auth/refresh')).toHaveLength(1);
    expect(sent.filter(({ authorization }) => authorization === 'Bearer new-access')).toMatchObject([
      { body: '{"decision":"deny","reason":"unknown program"}' },
      { body: '{"decision":"deny","reason":"unknown program"}' },
    ]);
    expect(await store.read()).toMatchObject({ refreshToken: 'new-refresh' });
  });

  it('that cannot be renewed is forgotten, and the answer is the first one', async () => {
    const { fetch, paths } = server({
      '/auth/me': [problem(401, 'token_expired')],
      '/auth/refresh': [problem(401, 'refresh_token_invalid')],
    });
    const store = memoryTokens(SESSION);
    const { error } = await client(fetch, { tokens: store }).GET('/auth/me');
    expect(error?.code).toBe('token_expired');
    expect(await store.read()).toBeNull();
    expect(paths()).toEqual(['/auth/me', '/auth/refresh']);
  });

  it('that another program has renewed is read anew instead', async () => {
    const { fetch, paths } = server({ '/auth/me': [problem(401, 'token_expired'), done] });
    const reads = [SESSION, { accessToken: 'other', refreshToken: 'other' }];
    const store = { read: () => reads.shift() ?? null, write: () => undefined };
    expect((await client(fetch, { tokens: store }).GET('/auth/me')).response.status).toBe(200);
    expect(paths()).toEqual(['/auth/me', '/auth/me']);
  });

  it('that was ended is not renewed', async () => {
    const { fetch, paths } = server({ '/auth/me': [problem(401, 'session_revoked')] });
    await client(fetch).GET('/auth/me');
    expect(paths()).toEqual(['/auth/me']);
  });

  it('is replaced by an API key', async () => {
    const { fetch, sent } = server({ '/auth/me': [done] });
    await client(fetch, { apiKey: 'ghk_x' }).GET('/auth/me');
    expect(sent).toMatchObject([{ authorization: 'Bearer ghk_x' }]);
  });
});

describe('a session in a cookie', () => {
  it('is asked for at sign-in and at the second factor, and leaves no refresh token in memory', async () => {
    const { fetch, sent } = server({
      '/auth/login': [{ status: 200, body: { mfaRequired: true, mfaToken: 'm', methods: ['totp'] } }],
      '/auth/mfa/verify': [{ status: 200, body: { accessToken: 'a', refreshToken: 'odd', user: { id: 'u' } } }],
    });
    const store = memoryTokens();
    const gatehouse = client(fetch, { session: 'cookie', tokens: store, secondFactor: async () => '123456' });
    expect((await gatehouse.signIn({ email: 'a@b.test', password: 'p' })).kind).toBe('signed-in');
    expect(sent.map(({ body }) => (JSON.parse(body) as { session: string }).session)).toEqual(['cookie', 'cookie']);
    expect(await store.read()).toEqual({ accessToken: 'a' });
  });

  it('is renewed by the cookie alone, also when an answer was lost, in one tab at a time', async () => {
    const { fetch, sent } = server({
      '/auth/me': [problem(401, 'token_expired'), done],
      '/auth/refresh': ['lost', access('new')],
    });
    const held: string[] = [];
    const locks = { request: (name: string, work: () => Promise<unknown>) => (held.push(name), work()) };
    const own = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
    Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { locks } });
    const store = memoryTokens({ accessToken: 'old' });
    await inCookie(fetch, store).GET('/auth/me');
    if (own) Object.defineProperty(globalThis, 'navigator', own);
    else Reflect.deleteProperty(globalThis, 'navigator');
    expect(sent.slice(1, 3)).toMatchObject(Array(2).fill({ path: '/auth/refresh', body: '', authorization: null }));
    expect(sent.at(-1)).toMatchObject({ path: '/auth/me', authorization: 'Bearer new' });
    expect([held, await store.read()]).toEqual([['gatehouse-refresh'], { accessToken: 'new', expiresInSeconds: 900 }]);
  });

  it('continues after a page was loaded, if the cookie stands for one', async () => {
    const living = server({ '/auth/refresh': [access('a')], '/auth/me': [done] });
    const gatehouse = inCookie(living.fetch);
    expect([await gatehouse.resume(), await gatehouse.resume()]).toEqual([true, true]);
    await gatehouse.GET('/auth/me');
    expect(living.sent).toMatchObject([{ path: '/auth/refresh' }, { authorization: 'Bearer a' }]);
    const ended = server({ '/auth/refresh': [problem(401, 'refresh_token_invalid')] });
    expect(await inCookie(ended.fetch).resume()).toBe(false);
    const foreign = server({ '/auth/refresh': [problem(403, 'origin_denied')] });
    await expect(inCookie(foreign.fetch).resume()).rejects.toMatchObject({ code: 'origin_denied' });
    expect(await client(living.fetch, { tokens: memoryTokens() }).resume()).toBe(false);
  });

  it('is ended at the server although the page has not used it', async () => {
    const { fetch, paths } = server({ '/auth/refresh': [access('a')], '/auth/logout': [done] });
    await inCookie(fetch).signOut();
    expect(paths()).toEqual(['/auth/refresh', '/auth/logout']);
  });

  const inCookie = (fetch: GatehouseOptions['fetch'], store = memoryTokens()): Gatehouse =>
    client(fetch, { session: 'cookie', tokens: store });
  const access = (name: string): Answer => ({ status: 200, body: { accessToken: name, expiresInSeconds: 900 } });
});

describe('a second factor', () => {
  it('is asked for when a request needs it, and the request is sent again', async () => {
    const { fetch, sent } = server(answers);
    const { response } = await respond(client(fetch, { secondFactor: async () => '123456' }));
    expect(response.status).toBe(200);
    expect(sent[1]).toMatchObject({ path: '/auth/mfa/step-up', body: '{"code":"123456"}' });
    expect(sent[2]).toMatchObject({ path: RESPOND, authorization: 'Bearer proved-access' });
  });

  it('that the user does not give leaves the answer as it is', async () => {
    const { fetch, paths } = server(answers);
    const { error } = await respond(client(fetch, { secondFactor: async () => null }));
    expect(error?.code).toBe('mfa_required');
    expect(paths()).toEqual([RESPOND]);
  });

  it('that is wrong is answered as such', async () => {
    const { fetch } = server({ ...answers, '/auth/mfa/step-up': [problem(400, 'mfa_code_invalid')] });
    const { error } = await respond(client(fetch, { secondFactor: async () => '000000' }));
    expect(error).toMatchObject({ code: 'mfa_code_invalid' });
  });

  const answers = {
    [RESPOND]: [problem(403, 'mfa_required'), done],
    '/auth/mfa/step-up': [tokens('proved')],
  };
});

describe('a change', () => {
  it('that is sent again after a lost answer keeps its key', async () => {
    const { fetch, sent } = server({ [RESPOND]: ['lost', problem(409, 'conflict', { 'retry-after': '0' }), done] });
    expect((await respond(client(fetch))).response.status).toBe(200);
    const keys = sent.map(({ key }) => key);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('has another key than the change before, or the one that the program gives', async () => {
    const { fetch, sent } = server({ [RESPOND]: [done], '/pam/rules/x': [done] });
    const gatehouse = client(fetch);
    await respond(gatehouse);
    await respond(gatehouse);
    const own = { params: { path: { id: 'x' }, header: { 'Idempotency-Key': 'mine' } } };
    await gatehouse.PATCH('/pam/rules/{id}', { ...own, body: { enabled: false } });
    expect(new Set(sent.map(({ key }) => key)).size).toBe(3);
    expect(sent[2]?.key).toBe('mine');
  });

  it.each([
    ['a conflict', problem(409, 'not_pending')],
    ['an error of the server', problem(500, 'internal_error')],
  ])('that ends in %s is not sent again', async (_, answer) => {
    const { fetch, paths } = server({ [RESPOND]: [answer] });
    await respond(client(fetch));
    expect(paths()).toEqual([RESPOND]);
  });

  it('without a key is not sent again after a lost answer', async () => {
    const { fetch, paths } = server({ '/auth/login': ['lost'] });
    const signIn = client(fetch, { tokens: memoryTokens() }).signIn({ email: 'a@example.test', password: 'x' });
    await expect(signIn).rejects.toThrow('fetch failed');
    expect(paths()).toEqual(['/auth/login']);
  });
});

describe('a request', () => {
  it('that is limited is sent again after Retry-After, as often as is set', async () => {
    const limited = problem(429, 'rate_limited', { 'retry-after': '0' });
    const { fetch, paths } = server({ '/auth/me': [limited] });
    const { error } = await client(fetch, { retries: 2 }).GET('/auth/me');
    expect(error?.code).toBe('rate_limited');
    expect(paths()).toHaveLength(3);
  });

  it('that would have to wait longer than the program does is answered at once', async () => {
    const { fetch, paths } = server({ '/auth/me': [problem(429, 'rate_limited', { 'retry-after': '300' })] });
    await client(fetch).GET('/auth/me');
    expect(paths()).toHaveLength(1);
  });
});

describe('signing in', () => {
  it('proves the second factor and keeps the session', async () => {
    const { fetch, sent } = server({
      '/auth/login': [waiting],
      '/auth/mfa/verify': [{ status: 200, body: signedIn }],
    });
    const store = memoryTokens();
    const gatehouse = client(fetch, { tokens: store, secondFactor: async () => '123456' });
    expect(await gatehouse.signIn(request)).toEqual({ kind: 'signed-in', user: USER });
    expect(sent[1]?.body).toBe('{"mfaToken":"m","code":"123456"}');
    expect(await store.read()).toEqual({ accessToken: 'a', refreshToken: 'r' });
  });

  it('says what is missing', async () => {
    const membership = { id: 'one' };
    const { fetch } = server({
      '/auth/login': [waiting, { status: 200, body: { membershipRequired: true, memberships: [membership] } }],
    });
    const gatehouse = client(fetch, { tokens: memoryTokens() });
    expect(await gatehouse.signIn(request)).toEqual({ kind: 'second-factor', methods: ['totp'] });
    expect(await gatehouse.signIn(request)).toEqual({ kind: 'membership', memberships: [membership] });
  });

  it('ends here and at the server', async () => {
    const { fetch, paths } = server({ '/auth/logout': [done] });
    const store = memoryTokens(SESSION);
    const gatehouse = client(fetch, { tokens: store });
    await gatehouse.signOut();
    await gatehouse.signOut();
    expect(paths()).toEqual(['/auth/logout']);
    expect(await store.read()).toBeNull();
  });

  const USER = { id: 'u', email: 'a@example.test', name: 'A' };
  const signedIn = { accessToken: 'a', refreshToken: 'r', expiresInSeconds: 900, user: USER };
  const waiting = { status: 200, body: { mfaRequired: true, mfaToken: 'm', methods: ['totp'] } };
  const request = { email: 'a@example.test', password: 'x' };
});

describe('ok', () => {
  it('gives the data, or throws the problem', async () => {
    const { fetch } = server({
      '/auth/me': [{ status: 200, body: { scope: 'system' } }, problem(403, 'partner_inactive')],
    });
    const gatehouse = client(fetch);
    expect((await ok(gatehouse.GET('/auth/me'))).scope).toBe('system');
    await expect(ok(gatehouse.GET('/auth/me'))).rejects.toMatchObject({ code: 'partner_inactive', status: 403 });
  });

  it.each([502, 200])('does not take the page of a proxy for an answer, whatever its status: %i', async (status) => {
    const gatehouse = client(() => Promise.resolve(new Response('<h1>Another server</h1>', { status })));
    const call = ok(gatehouse.GET('/auth/me'));
    await expect(call).rejects.toBeInstanceOf(GatehouseError);
    await expect(call).rejects.toMatchObject({ code: 'unreadable_answer', status, problem: null });
  });
});

type Answer = { readonly status: number; readonly body?: object; readonly headers?: Record<string, string> } | 'lost';

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly authorization: string | null;
  readonly key: string | null;
}

/** A server that gives the listed answers to the requests of each path, in order; the last one repeats. */
function server(answers: Readonly<Record<string, readonly Answer[]>>) {
  const sent: Sent[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname.replace('/api/v1', '');
    const before = sent.filter((one) => one.path === path).length;
    const { method, headers } = request;
    const body = await request.text();
    sent.push({ method, path, body, authorization: headers.get('authorization'), key: headers.get('idempotency-key') });
    const list = answers[path] ?? [];
    const answer = list[Math.min(before, list.length - 1)];
    if (answer === undefined || answer === 'lost') throw new TypeError('fetch failed');
    return Response.json(answer.body ?? {}, { status: answer.status, headers: answer.headers ?? {} });
  };
  const paths = (): string[] => sent.map(({ path }) => path);
  return { sent, paths, fetch };
}

const SESSION = { accessToken: 'old-access', refreshToken: 'old-refresh' };
const client = (fetch: GatehouseOptions['fetch'], options: Partial<GatehouseOptions> = {}): Gatehouse =>
  createGatehouse({ baseUrl: 'http://gatehouse.test/', tokens: memoryTokens(SESSION), fetch, ...options });
const respond = (gatehouse: Gatehouse) =>
  gatehouse.POST('/pam/elevation-requests/{id}/respond', {
    params: { path: { id: 'x' } },
    body: { decision: 'deny', reason: 'unknown program' },
  });
