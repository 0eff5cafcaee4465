import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type FakeDns, startFakeDns, stopwatch } from '@gatehouse/testing';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { allowancesFrom, Egress, EgressError, isPublicAddress } from './index.ts';

describe('egress', () => {
  let server: Server;
  let port: number;
  let hits = 0;
  let answer: RequestListener;
  let dns: FakeDns;
  let strict: Egress;
  let lenient: Egress;
  /** Gives up soon, for what is never answered. */
  let hasty: Egress;

  beforeAll(async () => {
    server = createServer((request, response) => {
      hits += 1;
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    port = (server.address() as AddressInfo).port;
    dns = await startFakeDns({
      'inside.example.com': { A: ['10.0.0.1'] },
      'mixed.example.com': { A: ['8.8.8.8', '127.0.0.1'] },
      'public.example.com': { A: ['8.8.8.8'] },
    });
    const [patient, allowances] = [{ timeoutMs: 30_000 }, allowancesFrom(`127.0.0.1:${port}`, true)];
    strict = new Egress({ allowances: allowancesFrom(undefined, false), dnsServers: dns.address, ...patient });
    lenient = new Egress({ allowances, ...patient });
    hasty = new Egress({ allowances, timeoutMs: 500, perCompartment: 2, overall: 3 });
  });
  beforeEach(() => {
    hits = 0;
    answer = (_, response) => response.end('{"ok":true}');
  });
  afterAll(async () => {
    await Promise.all([strict.close(), lenient.close(), hasty.close(), dns.stop()]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it.each([
    'http://public.example.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://100.64.0.1/',
    'https://0.0.0.0/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://127.1/',
    'https://１２７.0.0.1/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://8.8.8.8/',
    'https://localhost/',
    'https://a.localhost/',
    'https://intranet/',
    'https://user:secret@public.example.com/',
    'file:///etc/passwd',
    'ftp://public.example.com/',
    'javascript:alert(1)',
    '',
    'https://',
    `https://public.example.com/${'a'.repeat(2_000)}`,
  ])('refuses %j before anything is sent (SSRF-01, SSRF-02, SSRF-03, SSRF-05)', async (address) => {
    const withPort = address.replace(/^(https:\/\/(?:\[[^\]]+\]|[^/:]+))\/$/, `$1:${port}/`);
    expect(await faultOf(strict.fetch(withPort, { compartment }))).toBe('address_refused');
    expect(await faultOf(strict.vet(address))).toBe('address_refused');
    expect(hits).toBe(0);
  });

  it.each(['inside.example.com', 'mixed.example.com'])(
    'refuses %s, whose name leads inside (SSRF-06)',
    async (name) => {
      expect(await faultOf(strict.fetch(`https://${name}:${port}/`, { compartment }))).toBe('address_refused');
      expect(await faultOf(strict.vet(`https://${name}/`))).toBe('address_refused');
      expect(hits).toBe(0);
    },
  );

  it('judges the very address it connects to, so a name that moves inside after its check gains nothing (SSRF-08)', async () => {
    dns.records['moving.example.com'] = { A: ['8.8.8.8'] };
    await strict.vet(`https://moving.example.com:${port}/`);
    dns.records['moving.example.com'] = { A: ['127.0.0.1'] };
    expect(await faultOf(strict.fetch(`https://moving.example.com:${port}/`, { compartment }))).toBe('address_refused');
    expect(hits).toBe(0);
  });

  it('says that a name without address is unreachable', async () => {
    expect(await faultOf(strict.vet('https://nowhere.example.com/'))).toBe('unreachable');
  });

  it('reaches an allowed host and decodes its answer', async () => {
    answer = (_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('{"zipped":true}'));
    expect(await lenient.fetch(own(), { compartment })).toMatchObject({ status: 200, text: '{"zipped":true}' });
  });

  it('allows the exact host and port only, and http only when that is allowed too', async () => {
    const httpsOnly = new Egress({ allowances: allowancesFrom(`127.0.0.1:${port}`, false) });
    expect(await faultOf(httpsOnly.vet(own()))).toBe('address_refused');
    expect(await faultOf(httpsOnly.vet(`https://127.0.0.1:${port}/`))).toBe('none');
    expect(await faultOf(lenient.vet(`http://127.0.0.1:${port + 1}/`))).toBe('address_refused');
    expect(await faultOf(lenient.vet(`http://localhost:${port}/`))).toBe('address_refused');
    await httpsOnly.close();
  });

  it.each([301, 302, 303, 307, 308])('does not follow a %d (SSRF-09)', async (status) => {
    answer = (_, response) => response.writeHead(status, { location: own('/secret') }).end();
    expect(await faultOf(lenient.fetch(own(), { compartment }))).toBe('redirected');
    expect(hits).toBe(1);
  });

  it.each<[string, RequestListener]>([
    ['one byte at a time (SSRF-13)', (_, response) => void setInterval(() => response.write('a'), 50).unref()],
    ['no answer at all', () => undefined],
    ['headers and no body', (_, response) => void response.writeHead(200).flushHeaders()],
  ])('gives up within its time on %s', async (_, listener) => {
    answer = listener;
    const spent = stopwatch();
    expect(await faultOf(hasty.fetch(own(), { compartment }))).toBe('timeout');
    expect(spent()).toBeLessThan(1_500);
  });

  it('stops reading an endless answer, and does not unpack a bomb (SSRF-13)', async () => {
    answer = (_, response) => {
      const pump = (): void =>
        void (
          response.destroyed ||
          (response.write(Buffer.alloc(65_536)) ? setImmediate(pump) : response.once('drain', pump))
        );
      pump();
    };
    expect(await faultOf(lenient.fetch(own(), { compartment }))).toBe('too_large');
    answer = (_, response) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(50 * 1024 * 1024)));
    expect(await faultOf(lenient.fetch(own(), { compartment }))).toBe('too_large');
  });

  it('lets one compartment use up its own share only, and all together no more than the whole', async () => {
    answer = () => undefined;
    const hanging = [1, 2].map(() => faultOf(hasty.fetch(own(), { compartment: 'hanging' })));
    expect(await faultOf(hasty.fetch(own(), { compartment: 'hanging' }))).toBe('busy');
    const other = faultOf(hasty.fetch(own(), { compartment: 'other' }));
    expect(await faultOf(hasty.fetch(own(), { compartment: 'third' }))).toBe('busy');
    expect(await Promise.all([...hanging, other])).toEqual(['timeout', 'timeout', 'timeout']);
    answer = (_, response) => response.end('ok');
    expect(await faultOf(hasty.fetch(own(), { compartment: 'hanging' }))).not.toBe('busy');
  });

  const own = (path = '/'): string => `http://127.0.0.1:${port}${path}`;
  const faultOf = async (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'none',
      (error: unknown) => (error instanceof EgressError ? error.fault : `unexpected: ${String(error)}`),
    );
});

describe('public addresses', () => {
  it.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450:4001:81b::200e'])('%s is public', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '240.0.0.1',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
    '2002:7f00:1::',
    '2001:db8::1',
    '2001::1',
    'fc00::1',
    'fe80::1',
    'ff02::1',
    'fec0::1',
    '3fff::1',
    'nonsense',
  ])('%s is not', (address) => expect(isPublicAddress(address)).toBe(false));
});

const compartment = 'provider-1';
