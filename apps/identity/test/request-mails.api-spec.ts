import {
  type ApprovalMail,
  ApprovalMailRequested,
  type RequestOutcome,
  RequestOutcomeNotified,
} from '@gatehouse/contracts-pam';
import { SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { IdentityHarness } from './identity.harness.ts';

const TECHNICIAN = SYSTEM_ROLES.find(({ name }) => name === 'Organization Technician')?.id;

const identity = await IdentityHarness.start();
const partnerId = await identity.partner();
const orgId = await identity.org(partnerId);
await identity.member('ada@example.test', { partnerId, orgId, roleId: TECHNICIAN });
const [row] = await identity.service.sql<{ id: string }>("SELECT id FROM users WHERE email = 'ada@example.test'");
afterAll(() => identity.stop());

describe('mails about elevation requests', () => {
  it('PAM-222 name the device and the organisation, and link to the approval (TELL-01, TELL-04)', async () => {
    const ask: ApprovalMail = {
      approvalId: newId(),
      userId,
      orgId,
      partnerId,
      deviceHostname: '<b>PC-7</b> @everyone',
      expiresAt: '2026-12-01T00:00:00.000Z',
    };
    await identity.service.deliver(ApprovalMailRequested, { ...ask, userId: newId() });
    await identity.service.deliver(ApprovalMailRequested, { ...ask, partnerId: newId() });
    await identity.service.deliver(ApprovalMailRequested, ask);
    const mail = await mailed('A request is awaiting your approval');
    expect(mail).toContain('To: ada@example.test');
    expect(mail).toContain(`a device at Org ${orgId} is pending and expires at 2026-12-01, 00:00 UTC.`);
    expect(mail).toContain(`/approvals/${ask.approvalId}`);
    expect(identity.mails().filter((one) => one.includes('A request is awaiting your approval'))).toHaveLength(1);
  });

  it('PAM-223 say how a request ended when it took long', async () => {
    const outcome: RequestOutcome = {
      elevationRequestId: newId(),
      userId,
      orgId,
      partnerId,
      deviceHostname: 'PC-7',
      status: 'denied',
      byMail: true,
    };
    await identity.service.deliver(RequestOutcomeNotified, { ...outcome, status: 'approved', byMail: false });
    await identity.service.deliver(RequestOutcomeNotified, outcome);
    const mail = await mailed('Your request was denied');
    expect(mail).toContain(`Your request for elevated rights on PC-7 at Org ${orgId} was denied.`);
    expect(mail).toContain(`/requests/${outcome.elevationRequestId}`);
    expect(identity.mails().filter((one) => one.includes('was approved'))).toEqual([]);
  });

  const mailed = async (subject: string): Promise<string> => {
    for (let round = 0; round < 100; round++) {
      const found = identity.mails().find((mail) => mail.includes(`Subject: ${subject}`));
      if (found) return found;
      await wait(100);
    }
    throw new Error(`no mail “${subject}” came`);
  };
});

const userId = row?.id ?? '';
