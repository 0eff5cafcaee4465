import { newId } from '@gatehouse/crypto';
import { aPartnerAdmin } from '@gatehouse/testing';
import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { ChainsRepository } from '../src/chain/chains.repository.ts';
import { EntriesRepository } from '../src/log/entries.repository.ts';
import { AuditHarness } from './audit.harness.ts';

/** 80 MB: more than all buffers between the database and a reader who takes nothing. */
const ENTRIES = 20_000;
const partner = newId();

const audit = await AuditHarness.start();
await audit.fill(partner, ENTRIES);
afterAll(() => audit.stop());
afterEach(() => void jest.restoreAllMocks());

describe('exports and verifications', () => {
  it('CAP-05 of one caller are under way in a bounded number; others have their own, and the turn of a reader who leaves comes back', async () => {
    const begun = await Promise.all(Array.from({ length: MAX }, () => begin(EXPORT)));
    expect((await Promise.all(begun.map(({ answer }) => answer))).map((answer) => answer?.status)).toEqual(
      Array(MAX).fill(200),
    );
    expect(await Promise.all([statusOf(EXPORT), statusOf(VERIFY)])).toEqual([
      [429, '2'],
      [429, '2'],
    ]);
    expect(await Promise.all([statusOf(EXPORT, aPartnerAdmin(partner)), statusOf('/audit-logs')])).toEqual([200, 200]);
    for (const { leave } of begun) leave();
    await expectTurnsBack();
  });

  it('give the turn back at the end of what was exported, and when it cannot be read on', async () => {
    for (let at = 0; at < 2 * MAX; at++) {
      const { answer } = await begin(`${EXPORT}?resourceId=${newId()}`);
      expect(await (await answer)?.text()).toBe('');
    }
    jest.spyOn(EntriesRepository.prototype, 'stretch').mockRejectedValue(new Error('the database is away'));
    for (let at = 0; at < 2 * MAX; at++)
      await (await begin(EXPORT)).answer.then((answer) => answer?.text()).catch(() => undefined);
    jest.restoreAllMocks();
    await expectTurnsBack();
  });

  it('give the turn back when their client has left before there was any answer', async () => {
    const real = ChainsRepository.prototype.find;
    const finds = jest.spyOn(ChainsRepository.prototype, 'find').mockImplementation(async function (
      this: ChainsRepository,
      ...input
    ) {
      await wait(300);
      return real.apply(this, input);
    });
    for (let at = 0; at < 2 * MAX; at++) {
      const { answer, leave } = await begin(EXPORT);
      while (finds.mock.calls.length === at) await wait(10);
      leave();
      expect(await answer).toBeNull();
    }
    jest.restoreAllMocks();
    await expectTurnsBack();
  });
});

/** Of heavy calls, as shipped. */
const MAX = 4;
const EXPORT = '/audit-logs/export';
const VERIFY = '/audit-logs/verify';
const ann = aPartnerAdmin(partner);

/** Begins a call in a session of its own, and reads nothing of its answer. */
async function begin(path: string): Promise<{ answer: Promise<Response | null>; leave: () => void }> {
  const { url, headers } = await audit.service.addressFor({ ...ann, sessionId: newId() }, path);
  const leaving = new AbortController();
  return { answer: fetch(url, { headers, signal: leaving.signal }).catch(() => null), leave: () => leaving.abort() };
}
const statusOf = async (path: string, principal = ann): Promise<unknown> => {
  const { url, headers } = await audit.service.addressFor(principal, path);
  const response = await fetch(url, { headers });
  await response.body?.cancel();
  return response.status === 429 ? [429, response.headers.get('retry-after')] : response.status;
};
/** As soon as what came before has noticed that its client has left. */
async function expectTurnsBack(): Promise<void> {
  const begun = await Promise.all(Array.from({ length: MAX }, () => begin(EXPORT)));
  expect((await Promise.all(begun.map(({ answer }) => answer))).map((answer) => answer?.status)).toEqual(
    Array(MAX).fill(200),
  );
  for (const { leave } of begun) leave();
}
