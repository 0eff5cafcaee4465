import type { Principal } from '@gatehouse/contracts-core';
import { PushReachChanged } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { aPartnerTechnician, TestService, testServers } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { NotifierConfig } from '../src/notifier.config.ts';
import { notifierService } from '../src/service.ts';

const HOST = '127.0.0.1:9';
const WAITING =
  'SELECT FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0';

describe('a person who subscribes several endpoints at the same time', () => {
  let service: TestService<NotifierConfig>;
  beforeAll(async () => {
    service = await TestService.start(notifierService, {
      env: { EGRESS_ALLOW_HOSTS: HOST, EGRESS_ALLOW_HTTP: 'true' },
    });
  });
  afterAll(() => service.stop());

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
  async function overlapping<T>(calls: readonly PromiseLike<T>[]): Promise<T[]> {
    const session = new pg.Client({
      connectionString: Object.assign(new URL(testServers().postgresAdminUrl), {
        pathname: `/${service.database?.database}`,
      }).href,
    });
    await session.connect();
    await session.query('BEGIN; LOCK TABLE push_reach IN SHARE MODE');
    const answers = Promise.all(calls);
    try {
      for (let tries = 0; (await service.sql(WAITING)).length < calls.length && tries < 50; tries++) await wait(20);
    } finally {
      await session.end();
    }
    return answers;
  }

  it('has no more than 20 of them', async () => {
    const ada = aPartnerTechnician(newId());
    for (let at = 1; at <= 18; at++) await subscribe(ada, String(at)).expect(201);
    const answers = await overlapping([19, 20, 21, 22, 23].map((at) => subscribe(ada, String(at))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 400, 400, 400]);
    expect(await endpointsOf(ada)).toHaveLength(20);
  });

  it('replaces the keys of one that is subscribed twice', async () => {
    const ada = aPartnerTechnician(newId());
    await subscribe(ada, 'before').expect(201);
    const answers = await overlapping(['twice', 'twice', 'twice'].map((path) => subscribe(ada, path)));
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

  it('may give one up while it is subscribed again', async () => {
    const ada = aPartnerTechnician(newId());
    const { id } = (await subscribe(ada, 'again').expect(201)).body.data;
    const [removed, subscribed] = await overlapping([
      service.as(ada).delete(`/push-subscriptions/${id}`),
      subscribe(ada, 'again'),
    ]);
    expect([[200, 404].includes(removed!.status), subscribed!.status]).toEqual([true, 201]);
    expect(await endpointsOf(ada)).toEqual([`http://${HOST}/again`]);
  });
});
