import {
  ORGANIZATION_ELEVATIONS,
  ORGANIZATION_PEOPLE,
  type OrganizationFiguresQuestion,
} from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { EventBus } from '@gatehouse/messaging';
import { anOrgAdmin, type Client, startTestBroker, type TestBroker } from '@gatehouse/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Tenancy } from './tenancy.harness.ts';

let broker: TestBroker;
let tenancy: Tenancy;
let partnerId: string;
let admin: Client;
let asked: OrganizationFiguresQuestion[];

describe('the summary of organisations', () => {
  beforeAll(async () => {
    broker = await startTestBroker();
    tenancy = await Tenancy.start({}, broker.url);
  });
  afterAll(async () => {
    for (const bus of others) await bus.close();
    await tenancy.stop();
    await broker.stop();
  });
  beforeEach(async () => {
    asked = [];
    partnerId = (await tenancy.partner()).id;
    admin = tenancy.admin(partnerId);
  });

  it('answers 503 while another service does not reply, but not if there is nothing to request', async () => {
    const { id } = await tenancy.organization(partnerId);
    const { status, body } = await summary([id]);
    expect([status, body.code]).toEqual([503, 'unavailable']);
    expect((await summary([newId()])).body).toEqual({ data: [] });
  });

  describe('with the other services', () => {
    beforeAll(async () => {
      await answering('identity', ORGANIZATION_PEOPLE, () => ({ people: 12, sso: 'enforced' }));
      await answering('pam', ORGANIZATION_ELEVATIONS, () => ({ waiting: 2, active: 1 }));
    });

    it('counts devices, sites, people, requests and windows in the order of the ids', async () => {
      const [first, second] = [await tenancy.organization(partnerId), await tenancy.organization(partnerId)];
      await tenancy.site(partnerId, first.id);
      const { key } = await tenancy.enrollmentKey(partnerId, first.id);
      const [device, retired] = [await tenancy.device(key), await tenancy.device(key)];
      await tenancy.device(key);
      await admin.patch(`/devices/${device.deviceId}`).send({ status: 'maintenance' });
      await admin.post(`/devices/${retired.deviceId}/decommission`);
      const elsewhere = { people: 12, waiting: 2, active: 1, sso: 'enforced' };
      expect((await summary([second.id, first.id])).body).toEqual({
        data: [
          { orgId: second.id, devices: 0, devicesOnline: 0, sites: 0, ...elsewhere },
          { orgId: first.id, devices: 2, devicesOnline: 1, sites: 2, ...elsewhere },
        ],
      });
      expect(asked).toHaveLength(2);
      expect(asked[0]?.organizations).toEqual([
        { orgId: second.id, partnerId },
        { orgId: first.id, partnerId },
      ]);
      expect((await summary(`${first.id}&ids=${second.id}`)).body.data).toHaveLength(2);
      expect((await summary([first.id], tenancy.system)).body.data).toHaveLength(1);
    });

    it('includes archived organisations, and leaves out deleted and foreign ones', async () => {
      const [archived, deleted] = [await tenancy.organization(partnerId), await tenancy.organization(partnerId)];
      const foreign = await tenancy.organization((await tenancy.partner()).id);
      await admin.post(`/orgs/organizations/${archived.id}/archive`);
      await admin.delete(`/orgs/organizations/${deleted.id}`);
      const ids = [foreign.id, archived.id, deleted.id, newId()];
      expect((await summary(ids)).body.data).toMatchObject([{ orgId: archived.id }]);
      expect((await summary(ids, tenancy.admin(partnerId, { orgs: [newId()] }))).body.data).toEqual([]);
      expect(asked.flatMap(({ organizations }) => organizations).map(({ orgId }) => orgId)).toEqual([
        archived.id,
        archived.id,
      ]);
    });

    it.each(['', 'x', `${newId()},`, Array.from({ length: 101 }, () => newId()).join()])(
      'refuses ids that are not 1 to 100 ids: %#',
      async (ids) => {
        expect((await summary(ids)).status).toBe(400);
      },
    );

    it('needs organizations:read, in partner or system scope', async () => {
      const { id } = await tenancy.organization(partnerId);
      const without = await summary([id], tenancy.admin(partnerId, { permissions: ['sites:read'] }));
      expect([without.status, without.body.code]).toEqual([403, 'permission_denied']);
      const ofOrganization = await summary([id], tenancy.as(anOrgAdmin(partnerId, id)));
      expect([ofOrganization.status, ofOrganization.body.code]).toEqual([403, 'scope_denied']);
    });
  });
});

const others: EventBus[] = [];

async function answering(service: string, subject: string, figures: (orgId: string) => object): Promise<void> {
  const bus = new EventBus({ url: broker.urlOf(service), name: service, log: tenancy.service.service.platform.log });
  bus.reply<OrganizationFiguresQuestion>(subject, async (question) => {
    asked.push(question);
    return { figures: question.organizations.map(({ orgId }) => ({ orgId, ...figures(orgId) })) };
  });
  bus.start();
  await bus.whenReady();
  others.push(bus);
}

const summary = (ids: string | readonly string[], client = admin) =>
  client.get(`/orgs/organizations/summary?ids=${typeof ids === 'string' ? ids : ids.join()}`);
