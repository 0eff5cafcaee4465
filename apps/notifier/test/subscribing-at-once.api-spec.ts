import type { Principal } from '@gatehouse/contracts-core';
import { SsoProviderChanged, TechnicianChanged } from '@gatehouse/contracts-identity';
import { ApprovalPushRequested, PushReachChanged } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { Egress, EgressError } from '@gatehouse/egress';
import {
  anOrgTechnician,
  aPartnerTechnician,
  Gate,
  NO_OUTBOX,
  overlapping as overlappingAt,
  patient,
  TestService,
  until,
} from '@gatehouse/testing';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { notifierService } from '../src/service.ts';

const HOST = '127.0.0.1:9';

const service = await TestService.start(notifierService, {
  env: { ...patient(), EGRESS_ALLOW_HOSTS: HOST, EGRESS_ALLOW_HTTP: 'true' },
});
afterAll(() => service.stop());

describe('a person who subscribes several endpoints at the same time', () => {
  it('has no more than 20 of them', async () => {
    const ada = aPartnerTechnician(newId());
    for (let at = 1; at <= 18; at++) await subscribe(ada, String(at)).expect(201);
    const answers = await overlapping(...[19, 20, 21, 22, 23].map((at) => () => subscribe(ada, String(at))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 400, 400, 400]);
    expect(await endpointsOf(ada)).toHaveLength(20);
  });

  it('replaces the keys of one that is subscribed twice', async () => {
    const ada = aPartnerTechnician(newId());
    await subscribe(ada, 'before').expect(201);
    const answers = await overlapping(...['twice', 'twice', 'twice'].map((path) => () => subscribe(ada, path)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await endpointsOf(ada)).toSorted()).toEqual([`http://${HOST}/before`, `http://${HOST}/twice`]);
    const reach = (await service.emitted(PushReachChanged))
      .filter(({ data }) => data.userId === ada.userId)
      .map(({ data: { version, subscriptions } }) => [version, subscriptions]);
    expect(reach).toEqual([
      [1, 1],
      [2, 2],
      [3, 2],
      [4, 2],
    ]);
  });

  it('is told again, under the same key, of one whose name no longer resolves', async () => {
    const ada = aPartnerTechnician(newId());
    const make = (key: string, path: string) => subscribe(ada, path).set('Idempotency-Key', key);
    const { id } = (await make('made', 'made').expect(201)).body.data;
    const unknown = new EgressError('unreachable', 'no address');
    const vet = jest.spyOn(service.service.app.get(Egress), 'vet').mockRejectedValue(unknown);
    expect((await make('made', 'made')).body).toMatchObject({ status: 409, code: 'idempotency_secret_shown', id });
    expect((await make('made', 'other')).body.code).toBe('idempotency_key_reused');
    expect((await make('new', 'made')).body.code).toBe('validation_failed');
    vet.mockRestore();
  });

  it('may give one up while it is subscribed again', async () => {
    const ada = aPartnerTechnician(newId());
    const { id } = (await subscribe(ada, 'again').expect(201)).body.data;
    const [removed, subscribed] = await overlapping(
      () => service.as(ada).delete(`/push-subscriptions/${id}`),
      () => subscribe(ada, 'again'),
    );
    expect([[200, 404].includes(removed!.status), subscribed!.status]).toEqual([true, 201]);
    expect(await endpointsOf(ada)).toEqual([`http://${HOST}/again`]);
  });

  it('IDY-165: those of a session of an identity provider end with the link of their user', async () => {
    const [providerId, partnerId, orgId] = [newId(), newId(), newId()];
    const inside = () => anOrgTechnician(partnerId, orgId, { providerId, confined: true });
    const [leaving, staying] = [inside(), inside()];
    const [first, second] = [(await subscribe(leaving, 'one')).body.data, (await subscribe(staying, 'two')).body.data];
    const left = async () =>
      (await service.sql<{ id: string }>('SELECT id FROM push_subscriptions WHERE provider_id = $1', [providerId])).map(
        ({ id }) => id,
      );
    const provider = { providerId, partnerId, orgId, enforceSSO: false, deleted: false, status: 'active' } as const;
    await service.deliver(SsoProviderChanged, { ...provider, unlinkedUserId: newId(), version: 2 });
    expect((await left()).sort()).toEqual([first.id, second.id].sort());
    await service.deliver(SsoProviderChanged, { ...provider, unlinkedUserId: leaving.userId, version: 2 });
    expect(await left()).toEqual([second.id]);
    expect((await subscribe(leaving, 'late')).body.code).toBe('conflict');
    await service.deliver(SsoProviderChanged, { ...provider, allUnlinked: true, version: 3 });
    expect(await left()).toEqual([]);
    expect((await service.audits('push_subscription.delete')).at(-1)).toMatchObject({
      details: { reason: 'the link at the identity provider ended' },
    });
  });

  it.each(['before', 'after'])(
    'IDY-165: one that is made %s the end of its provider commits is refused, or ends with it',
    async (order) => {
      const [providerId, partnerId, orgId] = [newId(), newId(), newId()];
      const inside = anOrgTechnician(partnerId, orgId, { providerId, confined: true });
      await subscribe(inside, 'early').expect(201);
      const provider = { providerId, partnerId, orgId, enforceSSO: false, deleted: true, version: 2 } as const;
      const end = () => service.deliver(SsoProviderChanged, { ...provider, status: 'active' });
      const late = async () => (await subscribe(inside, 'late')).body;
      const calls = order === 'before' ? [late, end] : [end, late];
      const answers = await overlappingAt<unknown>(service, NO_OUTBOX, ...calls);
      if (order === 'after') expect(answers[1]).toMatchObject({ code: 'conflict' });
      expect(await service.sql('SELECT FROM push_subscriptions WHERE provider_id = $1', [providerId])).toEqual([]);
    },
  );

  it('IDY-165: those of a session of an identity provider rest while it is off, and end with it', async () => {
    const [providerId, partnerId, orgId] = [newId(), newId(), newId()];
    const provider = { providerId, partnerId, orgId, enforceSSO: false, deleted: false };
    const inside = anOrgTechnician(partnerId, orgId, { providerId, confined: true });
    const { id } = (await subscribe(inside, 'inside')).body.data;
    const others = (await subscribe(anOrgTechnician(partnerId, orgId), 'others')).body.data;
    const queued = async (): Promise<number> => {
      const approvalId = newId();
      const expiresAt = new Date(Date.now() + 900_000).toISOString();
      const push = { approvalId, userId: inside.userId, partnerId, orgId, siteId: null, title: 'Waits', expiresAt };
      await service.deliver(ApprovalPushRequested, push);
      return (await service.sql('SELECT FROM push_deliveries WHERE approval_id = $1', [approvalId])).length;
    };
    const reach = async () => (await service.emitted(PushReachChanged)).at(-1)?.data;
    expect(await queued()).toBe(1);
    await service.deliver(SsoProviderChanged, { ...provider, status: 'inactive', version: 3 });
    expect([await queued(), await reach()]).toEqual([0, expect.objectContaining({ subscriptions: 0 })]);
    await service.deliver(SsoProviderChanged, { ...provider, status: 'active', version: 2 });
    expect(await queued()).toBe(0);
    await service.deliver(SsoProviderChanged, { ...provider, status: 'active', version: 4 });
    expect([await queued(), await reach()]).toEqual([1, expect.objectContaining({ subscriptions: 1 })]);
    await service.deliver(SsoProviderChanged, { ...provider, status: 'active', deleted: true, version: 5 });
    expect(
      await service.sql('SELECT id FROM push_subscriptions WHERE id = ANY ($1::uuid[])', [[id, others.id]]),
    ).toEqual([{ id: others.id }]);
    expect((await service.audits('push_subscription.delete')).at(-1)).toMatchObject({
      resource: { id },
      details: { reason: 'the identity provider was deleted' },
    });
  });

  it('IDY-196 has none any more once the account was deleted', async () => {
    const [ada, bob] = [aPartnerTechnician(newId()), aPartnerTechnician(newId())];
    for (const person of [ada, bob]) await subscribe(person, 'phone').expect(201);
    const state = { name: 'Ada', email: 'ada@example.com', active: false, reaches: [] };
    await service.deliver(TechnicianChanged, { ...state, userId: ada.userId, version: 2 });
    expect(await endpointsOf(ada)).toHaveLength(1);
    await service.deliver(TechnicianChanged, { ...state, userId: ada.userId, deleted: true, version: 3 });
    expect([await endpointsOf(ada), await endpointsOf(bob)]).toEqual([[], [`http://${HOST}/phone`]]);
    expect((await service.emitted(PushReachChanged)).at(-1)?.data).toMatchObject({
      userId: ada.userId,
      subscriptions: 0,
    });
  });

  it('is told of a push in the order of deletion: the subscription is locked before its delivery', async () => {
    const partnerId = newId();
    const ada = aPartnerTechnician(partnerId);
    const { id } = (await subscribe(ada, 'late')).body.data;
    const gate = await Gate.close(service, `SELECT FROM push_subscriptions WHERE id = '${id}' FOR NO KEY UPDATE`);
    const expiresAt = new Date(Date.now() + 900_000).toISOString();
    const place = { partnerId, orgId: newId(), siteId: null };
    const push = { approvalId: newId(), userId: ada.userId, ...place, title: 'Waits', expiresAt };
    await service.deliver(ApprovalPushRequested, push);
    await gate.waited(1);
    await gate.take(`SELECT FROM push_deliveries WHERE subscription_id = '${id}' FOR UPDATE`);
    await gate.open();
    await until(
      async () =>
        (await service.sql('SELECT FROM push_subscriptions WHERE last_failure IS NOT NULL AND id = $1', [id]))
          .length === 1,
    );
  });

  const subscribe = (technician: Principal, path: string) =>
    service
      .as(technician)
      .post('/push-subscriptions')
      .send({ kind: 'webhook', endpoint: `http://${HOST}/${path}` });
  const endpointsOf = async (technician: Principal): Promise<string[]> =>
    (await service.as(technician).get('/push-subscriptions')).body.data.map(
      ({ endpoint }: { endpoint: string }) => endpoint,
    );

  /** The calls come as far as they can without a version of the person's reach, all of them before any gets one. */
  const overlapping = <T>(...calls: (() => PromiseLike<T>)[]): Promise<T[]> =>
    overlappingAt(service, 'LOCK TABLE push_reach IN SHARE MODE', ...calls);
});
