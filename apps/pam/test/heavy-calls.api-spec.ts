import { newId } from '@gatehouse/crypto';
import { anApiKey, anOrgAdmin } from '@gatehouse/testing';
import { describe, expect, it, jest } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { HistoryRepository } from '../src/rule-lab/history.repository.ts';
import { besidePam, type PamHarness } from './pam.harness.ts';

let pam: PamHarness;
besidePam((started) => (pam = started));

describe('previews of a rule', () => {
  it('CAP-04 of one caller are under way in a bounded number, so that they leave the others their connections to the database', async () => {
    const { partnerId, orgId } = await pam.tenant();
    const [ann, bob] = [
      anOrgAdmin(partnerId, orgId),
      anApiKey({
        level: 'organization',
        partnerId,
        orgId,
        orgs: [orgId],
        permissions: ['devices:read', 'devices:write'],
      }),
    ];
    const preview = (principal = ann) =>
      pam
        .as(principal)
        .post('/pam/rules/preview')
        .send({ matchUser: 'ann' })
        .then((answer) => answer);
    let letGo = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (letGo = resolve));
    const real = HistoryRepository.prototype.page;
    const page = jest.spyOn(HistoryRepository.prototype, 'page').mockImplementation(async function (
      this: HistoryRepository,
      ...input
    ) {
      await waiting;
      return real.apply(this, input);
    });
    const flood = Array.from({ length: FLOOD }, (_, at) =>
      preview({ ...ann, sessionId: at % 2 ? newId() : ann.sessionId }),
    );
    while (page.mock.calls.length < MAX) await wait(10);
    await wait(2_500);
    expect(page.mock.calls.length).toBe(MAX);
    const others = [
      pam
        .as(bob)
        .get('/pam/rules')
        .then((answer) => answer),
      preview(bob),
    ];
    expect((await others[0])?.status).toBe(200);
    letGo();
    const statuses = (await Promise.all([...flood, ...others])).map(({ status, headers }) =>
      [status, headers['retry-after']].join(' '),
    );
    page.mockRestore();
    expect([
      statuses.filter((status) => status === '200 ').length,
      statuses.filter((status) => status === '429 2').length,
    ]).toEqual([MAX + 2, FLOOD - MAX]);
    expect((await preview()).status).toBe(200);
  });
});

/** Of heavy calls, as shipped. */
const MAX = 4;
const FLOOD = 12;
