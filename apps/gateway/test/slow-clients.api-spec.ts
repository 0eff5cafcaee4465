import { stopwatch } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { GatewayHarness } from './gateway.harness.ts';

const gateway = await GatewayHarness.start();
afterAll(() => gateway.stop());

const POST = 'POST /api/v1/pam/rules HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

describe('a slow client', () => {
  it('is cut off when its headers or its body take longer than 15 s, and others are served during that time', async () => {
    const slow = Promise.all([
      drip('GET /api/v1/pam/rules HTTP/1.1\r\nHost: x\r\nX-Slow: '),
      drip(`${POST}Content-Length: 1000\r\n\r\n`),
    ]);
    expect((await gateway.get('/api/v1/pam/rules')).status).toBe(200);
    for (const { text, ms } of await slow) {
      expect(ms).toBeLessThan(20_000);
      expect(text).toMatch(/^HTTP\/1\.1 408 [\s\S]*problem\+json/);
    }
  });
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
  const socket = connect(Number(new URL(gateway.service.url).port), '127.0.0.1');
  const timer = setInterval(() => socket.write(byte), 1_000);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => undefined);
  socket.write(head);
  await once(socket, 'close');
  clearInterval(timer);
  return { text, ms: spent() };
}
