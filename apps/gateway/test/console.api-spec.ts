import { stopwatch } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import { type Answer, GatewayHarness } from './gateway.harness.ts';

describe('the console behind the gateway', () => {
  let gateway: GatewayHarness;
  beforeAll(async () => {
    buildIn(directory);
    gateway = await GatewayHarness.start({ CONSOLE_DIRECTORY: directory });
  });
  afterAll(async () => {
    await gateway.stop();
    rmSync(directory, { recursive: true });
  });

  it.each(['/', '/approvals', '/settings/profile?ssoLinked=1', '/orgs/x/rules/new?from=../..', '/nowhere/at/all'])(
    'answers a browser at %s with the page',
    async (path) => {
      const answer = await browse(path);
      expect(ofMedia(answer)).toEqual([200, 'text/html']);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['vary']).toBe('accept, origin');
      expect(answer.text).not.toContain('__CSP_NONCE__');
    },
  );

  it('fills a new nonce into each page and its policy', async () => {
    const [first, second] = [await browse('/'), await browse('/')];
    expect(nonceOf(first)).toMatch(/^[A-Za-z0-9+/]{24}$/);
    expect(nonceOf(first)).not.toBe(nonceOf(second));
    expect(first.text).toBe(PAGE.replaceAll('__CSP_NONCE__', nonceOf(first)));
    expect(first.headers['content-security-policy']).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonceOf(first)}'; img-src 'self' https: data:; ` +
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; " +
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types default",
    );
  });

  it.each([
    '/api',
    '/api/v1/nothing',
    '/docs/nothing',
    '/healthz/x',
    '/.well-known/nothing',
    '/console',
    '/console/',
    '/console/nothing',
    '/console/index.html',
    '/console/assets',
    '/console/assets/',
    '/console/assets/missing-Ef56.js',
    '/login/nothing',
    '/accept-invite/nothing',
    '/reset-password/nothing',
    '/index.html',
    '/robots.txt',
    '/a.b/c',
  ])('answers a browser at %s with a problem', async (path) => {
    const answer = await browse(path);
    expect(ofMedia(answer)).toEqual([404, 'application/problem+json']);
    expect(answer.body['code']).toBe('route_not_found');
  });

  it.each([
    undefined,
    '*/*',
    'application/json',
    'text/html;q=0',
    'text/htmlx',
    ',;q=,text/x',
    'text/html'.repeat(900),
  ])('answers a client that accepts %j with a problem', async (accept) => {
    const answer = await get('/approvals', accept === undefined ? {} : { accept });
    expect(ofMedia(answer)).toEqual([404, 'application/problem+json']);
  });

  it('reads a hostile header in no time', async () => {
    const spent = stopwatch();
    for (const accept of [',;'.repeat(7_000), 'text/html;q=0;'.repeat(1_000), 'text/htm,'.repeat(1_700)])
      expect((await get('/approvals', { accept })).status).toBe(404);
    expect(spent()).toBeLessThan(1_000);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('knows no %s of a view', async (method) => {
    expect(ofMedia(await browse('/approvals', method))).toEqual([404, 'application/problem+json']);
  });

  it('answers HEAD as GET, without a body', async () => {
    for (const path of ['/approvals', ASSET, '/sw.js']) {
      const [head, whole] = [await browse(path, 'HEAD'), await browse(path)];
      expect([head.status, head.text]).toEqual([200, '']);
      for (const name of ['content-length', 'content-type', 'cache-control', 'etag'])
        expect([name, head.headers[name]]).toEqual([name, whole.headers[name]]);
    }
    expect((await browse('/console/assets/missing-Ef56.js', 'HEAD')).status).toBe(404);
  });

  it('serves hashed files for ever, compressed as the client accepts', async () => {
    const plain = await get(ASSET);
    expect([plain.status, plain.text]).toEqual([200, SCRIPT]);
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringMatching(/^(text|application)\/javascript/),
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding, origin',
    });
    for (const [accepted, encoding] of [
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['zstd', undefined],
    ] as const) {
      const answer = await get(ASSET, { 'accept-encoding': accepted });
      expect([accepted, answer.status, answer.headers['content-encoding']]).toEqual([accepted, 200, encoding]);
    }
    const response = await fetch(`${gateway.service.url}${ASSET}`, { headers: { 'accept-encoding': 'br' } });
    expect(await response.text()).toBe(SCRIPT);
    expect(brotliDecompressSync(brotliCompressSync(SCRIPT)).toString()).toBe(SCRIPT);
  });

  it('serves what is not hashed without letting it grow old', async () => {
    for (const path of ['/console/icons/icon.svg', '/sw.js', '/manifest.webmanifest', '/offline.html']) {
      const answer = await get(path);
      expect([path, answer.status, answer.headers['cache-control']]).toEqual([path, 200, 'no-cache']);
      const again = await get(path, { 'if-none-match': String(answer.headers['etag']) });
      expect([path, again.status, again.text]).toEqual([path, 304, '']);
    }
  });

  it('gives the worker and the offline page policies of their own', async () => {
    expect((await get('/sw.js')).headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-security-policy': expect.stringContaining("connect-src 'self'; img-src 'self'"),
    });
    const hash = createHash('sha256').update(STYLE).digest('base64');
    expect((await get('/offline.html')).headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect((await get('/manifest.webmanifest')).headers).toMatchObject({
      'content-type': 'application/manifest+json; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
  });

  it('ignores ranges and preconditions that it cannot fulfil', async () => {
    for (const range of ['bytes=0-3', 'bytes=99999999-', 'bytes=3-1,5-2', 'x'])
      expect([(await get(ASSET, { range })).status, (await get('/sw.js', { range })).status]).toEqual([200, 200]);
    expect((await get(ASSET, { 'if-match': '"other"' })).status).toBe(404);
  });

  it.each([
    '/console/assets/shell-Ab12.js.map',
    '/console/assets/shell-Ab12.js.br',
    '/console/.sources',
    '/console/sw.js',
    '/console/offline.html',
    '/console/../gateway.config.ts',
    '/console/assets/../.sources',
    '/console/assets/..%2f.sources',
    '/console/%2e%2e/%2e%2e/package.json',
    '/console/assets/%2e%2e/.sources',
    '/console/assets/..\\.sources',
    '/console//assets/shell-Ab12.js',
    '/console/./assets/shell-Ab12.js',
    '/console/assets/shell-Ab12.js/',
    '/console/assets/SHELL-Ab12.js',
    '/console/assets/shell-Ab12%2ejs',
    '/console/assets/shell-Ab12.js%00',
    '/%2e%2e/etc/passwd',
    '/approvals%2fx',
    '//evil.example/approvals',
  ])('has nothing at %s', async (path) => {
    const answer = await browse(path);
    expect(ofMedia(answer)).toEqual([404, 'application/problem+json']);
    expect(answer.text).not.toContain(SECRET);
  });

  it('refuses an escape that is none', async () => {
    expect(ofMedia(await browse('/console/assets/%'))).toEqual([400, 'application/problem+json']);
  });

  it('leaves sign-in, the documentation and the API where they are', async () => {
    expect((await browse('/login')).text).toContain('Sign in');
    expect((await browse('/docs')).text).toContain('swagger-ui');
    expect(ofMedia(await browse('/api/v1/sso/login/x'))).toEqual([200, 'application/json']);
    expect((await get('/healthz')).body).toEqual({ status: 'ok' });
  });

  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-console-'));
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
    gateway.call(path, { method, headers });
  const browse = (path: string, method = 'GET'): Promise<Answer> => get(path, { accept: BROWSER }, method);
});

describe('a gateway without a console', () => {
  let gateway: GatewayHarness;
  beforeAll(async () => {
    gateway = await GatewayHarness.start({ CONSOLE_DIRECTORY: join(tmpdir(), 'gatehouse-no-console') });
  });
  afterAll(() => gateway.stop());

  it('serves its own start page and profile, and a page for what is not there', async () => {
    const browse = (path: string): Promise<Answer> => gateway.call(path, { headers: { accept: BROWSER } });
    expect((await browse('/')).text).toContain('/assets/start.js');
    expect((await browse('/settings/profile')).text).toContain('/assets/profile.js');
    expect(ofMedia(await browse('/approvals'))).toEqual([404, 'text/html']);
    expect((await browse('/sw.js')).status).toBe(404);
  });

  it.each(['/api/v1/sso/callback', '/api/v1/sso/saml/acs', '/api/v1/sso/nothing', '/nothing', '/login/x'])(
    'IDY-161: HEAD of %s, which answers no HEAD, is 404 in whatever form the client prefers',
    async (path) => {
      gateway.upstreams.identity.answer = (_, response) =>
        response.writeHead(404, { 'content-type': 'application/problem+json', 'content-length': '77' }).end();
      for (const accept of [BROWSER, 'text/html', '*/*', 'application/json, text/html;q=0.5', ''])
        for (const method of ['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND']) {
          const answer = await gateway.call(path, { method, headers: { accept } });
          expect([method, accept, answer.status]).toEqual([method, accept, 404]);
        }
    },
  );
});

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const SCRIPT = 'console.log("shell");'.repeat(50);
const SECRET = 'the map is not served';
const PAGE = '<!doctype html><link rel="stylesheet" nonce="__CSP_NONCE__" /><script nonce="__CSP_NONCE__"></script>';
const STYLE = 'h1 { font-weight: 650 }';
const ASSET = '/console/assets/shell-Ab12.js';

function buildIn(directory: string): void {
  const files: Record<string, string | Buffer> = {
    'index.html': PAGE,
    'assets/shell-Ab12.js': SCRIPT,
    'assets/shell-Ab12.js.br': brotliCompressSync(SCRIPT),
    'assets/shell-Ab12.js.gz': gzipSync(SCRIPT),
    'assets/shell-Ab12.js.map': SECRET,
    'assets/plain-Cd34.css': 'main { color: red }',
    'icons/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'sw.js': 'self.skipWaiting();',
    'manifest.webmanifest': '{"name":"Gatehouse"}',
    'offline.html': `<!doctype html><style>${STYLE}</style><h1>Offline</h1>`,
    '.sources': SECRET,
  };
  for (const folder of ['assets', 'icons']) mkdirSync(join(directory, folder));
  for (const [name, body] of Object.entries(files)) writeFileSync(join(directory, name), body);
}

const nonceOf = ({ headers }: Answer): string =>
  /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1] ?? '';
const ofMedia = ({ status, headers }: Answer): [number, string] => [
  status,
  String(headers['content-type']).split(';')[0] ?? '',
];
