import { newId } from '@gatehouse/crypto';
import { anOrgTechnician, startTestBroker, TestService } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { notifierService } from '../src/service.ts';

const MAX = 3;

const broker = await startTestBroker();
const service = await TestService.start(notifierService, {
  natsUrl: broker.url,
  env: { RATE_LIMITS: `eventStreams=${MAX}` },
});
afterAll(async () => {
  await service.stop();
  await broker.stop();
});

describe('live streams of one person', () => {
  it('ATK-222 IDY-140 end with their session or API key', async () => {
    const expiresAt = new Date(Date.now() + 500).toISOString();
    const { url, headers } = await service.addressFor(
      anOrgTechnician(newId(), newId(), { expiresAt }),
      '/events/stream',
    );
    const response = await fetch(url, { headers });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(': connected');
  });

  it('answer HEAD at once, with the headers of a stream', async () => {
    const { url, headers } = await service.addressFor(anOrgTechnician(newId(), newId()), '/events/stream');
    const { status, headers: told } = await fetch(url, {
      method: 'HEAD',
      headers,
      signal: AbortSignal.timeout(20_000),
    });
    expect([status, told.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });

  it("CAP-06 are open in a bounded number, whatever the sessions: one more ends the oldest, and no one else's", async () => {
    const [ann, bob] = [anOrgTechnician(newId(), newId()), anOrgTechnician(newId(), newId())];
    const theirs = await open(bob);
    const streams = await openInTurn(ann, MAX + 2);
    expect(streams.map(({ status }) => status)).toEqual(Array(MAX + 2).fill(200));
    expect(isOpen(streams)).toEqual([false, false, true, true, true]);
    streams[2]?.leave();
    await wait(300);
    const [another] = await openInTurn(ann, 1);
    expect(isOpen([...streams, another as Stream, theirs])).toEqual([false, false, false, true, true, true, true]);
    for (const { leave } of [...streams, another as Stream, theirs]) leave();
  });
});

interface Stream {
  readonly status: number;
  isOpen: boolean;
  readonly leave: () => void;
}

/** A stream in a session of its own. */
async function open(person: Parameters<typeof service.addressFor>[0]): Promise<Stream> {
  const { url, headers } = await service.addressFor({ ...person, sessionId: newId() }, '/events/stream');
  const leaving = new AbortController();
  const response = await fetch(url, { headers, signal: leaving.signal });
  const stream = { status: response.status, isOpen: true, leave: () => leaving.abort() };
  void response
    .text()
    .catch(() => undefined)
    .finally(() => (stream.isOpen = false));
  return stream;
}
async function openInTurn(person: Parameters<typeof open>[0], count: number): Promise<Stream[]> {
  const streams: Stream[] = [];
  for (let at = 0; at < count; at++) streams.push(await open(person));
  await wait(300);
  return streams;
}
const isOpen = (streams: readonly Stream[]): boolean[] => streams.map((stream) => stream.isOpen);
