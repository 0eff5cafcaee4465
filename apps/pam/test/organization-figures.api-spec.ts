import {
  type ElevationFigures,
  ORGANIZATION_ELEVATIONS,
  type OrganizationFigures,
  type OrganizationFiguresQuestion,
} from '@gatehouse/contracts-tenancy';
import { EventBus } from '@gatehouse/messaging';
import { startTestBroker } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PamHarness } from './pam.harness.ts';

const broker = await startTestBroker();
const pam = await PamHarness.start({ natsUrl: broker.url });
const tenancy = new EventBus({ url: broker.urlOf('tenancy'), name: 'tenancy', log: pam.service.service.platform.log });
tenancy.start();
await tenancy.whenReady();
afterAll(async () => {
  await tenancy.close();
  await pam.stop();
  await broker.stop();
});

describe('the elevations in the summary of an organisation', () => {
  it('are the requests that wait and the windows that are open now, in each requested organisation that is not archived', async () => {
    const [one, two, archived, other] = [
      await pam.tenant(),
      await pam.tenant(),
      await pam.tenant(),
      await pam.tenant(),
    ];
    await pam.request(one);
    await pam.request(one);
    await pam.request(one, { pendingSeconds: -1 });
    for (const status of ['approved', 'auto_approved', 'actuating'] as const) await pam.request(one, { status });
    await pam.request(one, { status: 'approved', expiresSeconds: -1 });
    await pam.request(one, { status: 'denied' });
    await pam.request(two);
    await pam.request(other);
    await pam.request(archived);
    await pam.organizationIs(archived, 'archived', 2);
    const question: OrganizationFiguresQuestion = { organizations: [one, two, archived] };
    const answer = (): Promise<OrganizationFigures<ElevationFigures>> =>
      tenancy.request(ORGANIZATION_ELEVATIONS, question, { timeoutMs: 5_000 });
    const { figures } = await answer().catch(answer);
    expect(new Map(figures.map(({ orgId, ...each }) => [orgId, each]))).toEqual(
      new Map([
        [one.orgId, { waiting: 2, active: 3 }],
        [two.orgId, { waiting: 1, active: 0 }],
      ]),
    );
  });
});
