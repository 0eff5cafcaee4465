import { SYSTEM_ROLES } from '@gatehouse/contracts-core';
import {
  ORGANIZATION_PEOPLE,
  type OrganizationFigures,
  type OrganizationFiguresQuestion,
  type PeopleFigures,
} from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { EventBus } from '@gatehouse/messaging';
import { aPartnerAdmin, startTestBroker } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { IdentityHarness } from './identity.harness.ts';

const broker = await startTestBroker();
const identity = await IdentityHarness.start({}, { natsUrl: broker.url });
const tenancy = new EventBus({
  url: broker.urlOf('tenancy'),
  name: 'tenancy',
  log: identity.service.service.platform.log,
});
tenancy.start();
await tenancy.whenReady();
const partnerId = await identity.partner();
afterAll(async () => {
  await tenancy.close();
  await identity.stop();
  await broker.stop();
});

describe('the people and the sign-on in the summary of an organisation', () => {
  it('are the members of the organisation itself, each organisation for itself', async () => {
    const [one, two] = [await identity.org(partnerId), await identity.org(partnerId)];
    for (const orgId of [one, one, two])
      await identity.member(`${newId()}@example.test`, { partnerId, orgId, roleId: ORG_VIEWER });
    expect(await figuresOf(two, one)).toEqual([
      { orgId: two, people: 1, sso: 'none' },
      { orgId: one, people: 2, sso: 'none' },
    ]);
  });

  it('tell whether the organisation has a provider, an active one, and one that is enforced', async () => {
    const orgId = await identity.org(partnerId);
    const provider = await identity.service
      .as(aPartnerAdmin(partnerId))
      .post('/sso/providers')
      .send({ orgId, name: 'IdP', type: 'oidc', issuer: 'https://idp.example', clientId: 'c', clientSecret: 's' });
    expect(provider.status).toBe(201);
    const state = async (change: string) => {
      await identity.service.sql(`UPDATE sso_providers SET ${change} WHERE org_id = $1`, [orgId]);
      return (await figuresOf(orgId))[0]?.sso;
    };
    expect(await state(`status = 'testing', enforce_sso = true`)).toBe('configured');
    expect(await state(`status = 'active', enforce_sso = false`)).toBe('active');
    expect(await state('enforce_sso = true')).toBe('enforced');
  });

  const figuresOf = async (...orgIds: string[]) => {
    const question: OrganizationFiguresQuestion = { organizations: orgIds.map((orgId) => ({ orgId, partnerId })) };
    const answer = (): Promise<OrganizationFigures<PeopleFigures>> =>
      tenancy.request(ORGANIZATION_PEOPLE, question, { timeoutMs: 5_000 });
    return (await answer().catch(answer)).figures;
  };
});

const ORG_VIEWER = SYSTEM_ROLES.find(({ name }) => name === 'Organization Viewer')?.id;
