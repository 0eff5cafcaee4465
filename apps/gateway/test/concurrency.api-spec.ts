import { newId } from '@gatehouse/crypto';
import { anApiKey, aPrincipal, until } from '@gatehouse/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type ClientRequest, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { GatewayHarness } from './gateway.harness.ts';

const MAX = 3;

const gateway = await GatewayHarness.start({ RATE_LIMITS: `requests=${MAX},largeBodies=${MAX}` });
afterAll(() => gateway.stop());
afterEach(() => {
  for (const response of held.splice(0)) response.destroy();
  gateway.upstreams.pam.answer = (_, response) =>
    void response.setHeader('content-type', 'application/json').end('{"ok":true}');
});

describe("one caller's requests at one service", () => {
  it('CAP-01 are under way in a bounded number, whatever the number of sessions; the others wait in order and are all answered', async () => {
    hold();
    const user = aPrincipal();
    const tokens = await Promise.all(
      [user, { ...user, sessionId: newId() }].map((principal) => gateway.signIn(principal).then(({ token }) => token)),
    );
    for (const token of tokens) await gateway.get('/api/v1/devices', token);
    const before = gateway.upstreams.pam.seen.length;
    const answers = [];
    for (let at = 0; at < 10; at++) {
      answers.push(gateway.get(`${RULES}?n=${at}`, tokens[at % 2]));
      await settle();
    }
    expect(held).toHaveLength(MAX);
    for (let at = 0; at < 10; at++) {
      await until(() => held.length > at);
      expect(held.length).toBeLessThanOrEqual(at + MAX);
      held[at]?.end('{}');
    }
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(10).fill(200));
    // Each once; in which order they reached the limiter is for the connections, and its own tests prove the queue.
    const seen = gateway.upstreams.pam.seen.slice(before).map(({ url }) => url.slice(-1));
    expect(seen.sort().join('')).toBe('0123456789');
  });

  it('CAP-02 delay no other caller, and this one at no other service', async () => {
    hold();
    const [{ token }, key] = [await gateway.signIn(), await gateway.signIn(anApiKey({ sessionId: newId() }))];
    const flood = Array.from({ length: 20 }, () => gateway.get(RULES, token));
    await until(() => held.length === MAX);
    expect((await gateway.get('/api/v1/devices', token)).status).toBe(200);
    const other = gateway.get(RULES, key.token);
    await until(() => held.length === MAX + 1);
    gateway.upstreams.pam.answer = (_, response) => void response.end('{}');
    for (const response of held.splice(0)) response.end('{}');
    expect((await Promise.all([other, ...flood])).every(({ status }) => status === 200)).toBe(true);
  });

  it('are judged anew when their turn comes: a session that ended while waiting gets nothing', async () => {
    hold();
    const { token, sid } = await gateway.signIn();
    const flood = Array.from({ length: MAX + 1 }, () => gateway.get(RULES, token));
    await until(() => held.length === MAX);
    gateway.principals.delete(sid);
    await wait(2_100);
    for (const response of held.splice(0)) response.end('{}');
    expect((await Promise.all(flood)).map(({ status }) => status).sort()).toEqual([...Array(MAX).fill(200), 401]);
    expect(held).toHaveLength(0);
  });
});

describe('a turn', () => {
  let token: string;
  beforeAll(async () => {
    ({ token } = await gateway.signIn());
  });

  it('comes back when the client leaves, under way or waiting', async () => {
    hold();
    const begun = await beginAll();
    const waiting = begin();
    await settle();
    waiting.destroy();
    for (const each of begun) each.destroy();
    await settle();
    held.splice(0);
    await expectAllTurnsBack(token);
  });

  it('comes back when the service hangs up, before its answer or within it', async () => {
    hold();
    const begun = await beginAll();
    const [first, ...others] = held.splice(0);
    gateway.upstreams.pam.answer = (_, response) => void response.destroy();
    first?.destroy();
    for (const response of others) response.writeHead(200).write('x');
    await Promise.all(others.map((response) => wait(50).then(() => response.destroy())));
    await Promise.all(begun.map((each) => new Promise((resolve) => each.once('close', resolve))));
    await expectAllTurnsBack(token);
  });

  it('lasts as long as a streamed answer, and comes back at its end', async () => {
    gateway.upstreams.pam.answer = (_, response) => {
      held.push(response);
      response.writeHead(200).write('first');
    };
    const streams = Array.from({ length: MAX }, () => gateway.get(RULES, token));
    await until(() => held.length === MAX);
    const next = gateway.get(RULES, token);
    await settle();
    expect(held).toHaveLength(MAX);
    for (const response of held) response.end('last');
    await until(() => held.length === MAX + 1);
    held.at(-1)?.end('last');
    expect((await Promise.all([...streams, next])).map(({ text }) => text)).toEqual(Array(MAX + 1).fill('firstlast'));
    held.splice(0);
    await expectAllTurnsBack(token);
  });

  it.each(['a streamed answer', 'no answer'])(
    'comes back when a client that sent several requests at once leaves: %s',
    async (kind) => {
      const streams = kind === 'a streamed answer';
      gateway.upstreams.pam.answer = (_, response) => {
        held.push(response);
        if (streams && held.length > 1) response.writeHead(200).write('x'.repeat(200_000));
      };
      const socket = connect(Number(new URL(gateway.service.url).port), '127.0.0.1').on('error', () => undefined);
      socket.write(`GET ${RULES} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`.repeat(MAX));
      await until(() => held.length === MAX);
      await settle();
      const closed = Promise.all(held.map((response) => once(response, 'close')));
      socket.destroy();
      await closed;
      held.splice(0);
      await expectAllTurnsBack(token);
    },
  );

  it('comes back when the service is away', async () => {
    await gateway.upstreams.pam.stop();
    expect(
      (await Promise.all(Array.from({ length: MAX }, () => gateway.get(RULES, token)))).map(({ status }) => status),
    ).toEqual(Array(MAX).fill(503));
    await gateway.upstreams.pam.restart();
    await expectAllTurnsBack(token);
  });

  const begin = (path = RULES): ClientRequest => {
    const begun = request(`${gateway.service.url}${path}`, {
      agent: false,
      headers: { authorization: `Bearer ${token}` },
    });
    begun.on('error', () => undefined).end();
    return begun;
  };
  const beginAll = async (): Promise<ClientRequest[]> => {
    const begun = Array.from({ length: MAX }, () => begin());
    await until(() => held.length === MAX);
    return begun;
  };
});

describe('large bodies of one caller', () => {
  it('CAP-03 are read in a bounded number at once: one more waits a moment and is refused, or read when one before it has gone', async () => {
    const { token } = await gateway.signIn();
    const unfinished = Array.from({ length: MAX }, () => upload(token));
    await untilRead();
    expect(await statusOf(upload(token))).toEqual([429, '5']);
    const patient = upload(token);
    await settle();
    unfinished[0]?.destroy();
    patient.end(Buffer.alloc(400_000, 32));
    expect(await statusOf(patient)).toBe(200);
    for (const each of unfinished.slice(1)) each.end(Buffer.alloc(400_000, 32));
    expect(await Promise.all(unfinished.slice(1).map(statusOf))).toEqual([200, 200]);
    const again = Array.from({ length: MAX }, () => upload(token));
    for (const each of again) each.end(Buffer.alloc(400_000, 32));
    expect(await Promise.all(again.map(statusOf))).toEqual(Array(MAX).fill(200));
  });

  it('leave room for smaller ones, and for those of others', async () => {
    const [{ token }, other] = [await gateway.signIn(), await gateway.signIn()];
    const unfinished = Array.from({ length: MAX }, () => upload(token));
    await untilRead();
    expect(
      (
        await gateway.call(IMPORT, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: '{}',
        })
      ).status,
    ).toBe(200);
    const theirs = upload(other.token);
    theirs.end(Buffer.alloc(400_000, 32));
    expect(await statusOf(theirs)).toBe(200);
    for (const each of unfinished) each.destroy();
  });

  const upload = (token: string): ClientRequest => {
    const begun = request(`${gateway.service.url}${IMPORT}`, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': '400000' },
    });
    begun.on('error', () => undefined).flushHeaders();
    return begun;
  };
  const statusOf = async (begun: ClientRequest): Promise<unknown> => {
    const [response] = (await once(begun, 'response')) as [
      { statusCode: number; headers: Record<string, string>; resume: () => void },
    ];
    response.resume();
    return response.statusCode === 429 ? [429, response.headers['retry-after']] : response.statusCode;
  };
});

const RULES = '/api/v1/pam/rules';
const IMPORT = '/api/v1/orgs/contacts/import';
const held: ServerResponse[] = [];

/** From now on pam says nothing until it is told to. */
const hold = (): void => void (gateway.upstreams.pam.answer = (_, response) => void held.push(response));
/** Gives what has just begun the time to get where it must not. */
const settle = (): Promise<void> => wait(100);
/** Nothing tells from outside that the gateway has begun to read a body. */
const untilRead = (): Promise<void> => wait(1_000);
/** All turns of the caller at pam can be had: none was lost. */
async function expectAllTurnsBack(token: string): Promise<void> {
  hold();
  const answers = Array.from({ length: MAX }, () => gateway.get(RULES, token));
  await until(() => held.length === MAX);
  for (const response of held.splice(0)) response.end('{}');
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(MAX).fill(200));
}
