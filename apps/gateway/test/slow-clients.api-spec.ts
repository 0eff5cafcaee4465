import { stopwatch } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { GatewayHarness } from './gateway.harness.ts';

const gateway = await GatewayHarness.start();
afterAll(() => gateway.stop());

const POST = 'POST /api/v1/pam/rules HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

describe('a slow client', () => {
  it('is cut off when its headers or its body take longer than 15 s, and others are served during that time', async () => {
    const slow = Promise.all([
      drip('GET /api/v1/pam/rules HTTP/1.1\r\nHost: x\r\nX-Slow: '),
      drip(`${POST}Content-Length: 1000\r\n\r\n`),
      drip(`${POST}Content-Length: 1000000\r\n\r\n`),
    ]);
    expect((await gateway.get('/api/v1/pam/rules')).status).toBe(200);
    const answers = await slow;
    for (const [at, status] of [408, 408, 413].entries()) {
      expect(answers[at]?.ms).toBeLessThan(15_500);
      expect(answers[at]?.text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*problem\\+json`));
    }
  });
});

it('hears that a body is too large while it still sends it, and its connection goes on', async () => {
  const socket = open();
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.write(`${POST}Content-Length: 1000000\r\n\r\n`);
  await once(socket, 'data');
  socket.write(`${'x'.repeat(1_000_000)}GET /api/v1/pam/rules HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await once(socket, 'close');
  expect(text.match(/^HTTP\/1\.1 \d+|(?<=\})HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
});

describe('a request that two parsers could read differently', () => {
  it.each([
    ['both lengths', `${POST}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['two lengths', `${POST}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`],
    ['an unknown coding', `${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['a bare line feed', 'GET /api/v1/pam/rules HTTP/1.1\nHost: x\n\n'],
  ])('is 400 and ends the connection: %s', async (_, text) => {
    const before = gateway.upstreams.pam.seen.length;
    const answer = await drip(text);
    expect(answer.text).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"validation_failed"/);
    expect(answer.ms).toBeLessThan(3_000);
    expect(gateway.upstreams.pam.seen.length).toBe(before);
  });
});

/** Sends `head`, then one byte a second. @returns what came back and how long the connection stood, in milliseconds */
async function drip(head: string, byte = 'x'): Promise<{ text: string; ms: number }> {
  const spent = stopwatch();
  const socket = open();
  const timer = setInterval(() => socket.write(byte), 1_000);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => undefined);
  socket.write(head);
  await once(socket, 'close');
  clearInterval(timer);
  return { text, ms: spent() };
}

const open = (): Socket => connect(Number(new URL(gateway.service.url).port), '127.0.0.1');
