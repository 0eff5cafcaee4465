import { afterAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { GatewayHarness } from './gateway.harness.ts';

const gateway = await GatewayHarness.start();
afterAll(() => gateway.stop());

const request = (method: string, target: string, headers: readonly string[] = []): string =>
  [`${method} ${target} HTTP/1.1`, 'Host: gatehouse', 'Connection: close', ...headers, '', ''].join('\r\n');
const LONG = 'a'.repeat(500);

describe('what the HTTP server refuses before any route', () => {
  it.each([
    ['an escape that is none', request('GET', '/%zz'), 400],
    ['such an escape below the API', request('GET', '/api/v1/users/%zz'), 400],
    ['half an escape', request('GET', '/api/v1/pam/rules/%'), 400],
    ['an over-long part of the address', request('GET', `/${LONG}`), 404],
    ['a long path of nothing', request('GET', `/nowhere/${LONG}/${LONG}`), 404],
    ['an address that is too long', request('GET', `/api/v1/pam/rules?x=${'a'.repeat(9_000)}`), 400],
    ['a method that HTTP does not know', request('BREW', '/api/v1/pam/rules'), 400],
    ['a method that no route has', request('PROPFIND', '/api/v1/pam/rules'), 404],
    ['TRACE', request('TRACE', '/'), 404],
    ['CONNECT', request('CONNECT', 'gatehouse:443'), 404],
    ['a target that is an asterisk', request('GET', '*'), 404],
    ['an absolute target', request('GET', 'http://gatehouse/api/v1/pam/rules'), 400],
    ['no host', 'GET /api/v1/pam/rules HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two hosts', request('GET', '/api/v1/pam/rules', ['Host: elsewhere']), 400],
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['two lengths', request('POST', '/api/v1/pam/rules', ['Content-Length: 1', 'Content-Length: 2']), 400],
    [
      'a length and chunks',
      request('POST', '/api/v1/pam/rules', ['Content-Length: 1', 'Transfer-Encoding: chunked']),
      400,
    ],
    ['headers that are too large', request('GET', '/', [`X-Large: ${'a'.repeat(20_000)}`]), 431],
    ['a body on a page', `${request('POST', '/login', ['Content-Type: text/plain', 'Content-Length: 1'])}x`, 404],
    [
      'an expectation that is not known, at an address of nothing',
      request('GET', '/nowhere', ['Expect: a-miracle']),
      404,
    ],
  ])('ATK-25a: is a problem like any other: %s', async (_, bytes, status) => {
    const answer = await send(bytes);
    expect({ status: answer.status, type: answer.headers['content-type'] }).toEqual({
      status,
      type: 'application/problem+json; charset=utf-8',
    });
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    const problem = JSON.parse(answer.body) as Record<string, unknown>;
    expect(problem).toMatchObject({
      status,
      code: expect.any(String),
      title: expect.any(String),
      type: expect.stringMatching(/^urn:gatehouse:problem:/),
      requestId: answer.headers['x-request-id'],
    });
    expect(`${JSON.stringify(answer.headers)}${answer.body}`).not.toMatch(/fst_|fastify|nest|find-my-way|hpe_|node/i);
  });
});

interface Raw {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** What comes back for exactly these bytes. */
async function send(bytes: string): Promise<Raw> {
  const { hostname, port } = new URL(gateway.service.url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'connect');
  socket.write(bytes);
  socket.setTimeout(1_000, () => socket.destroy());
  await once(socket, 'close');
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 1).trim(),
    ]),
  );
  return { status: Number(line.split(' ')[1]), headers, body };
}
