import { Api } from '@gatehouse/stack';
import type { Fleet } from '@gatehouse/testing/fleet';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { startFleetWorld } from './fleet-world.ts';
import { makeTenant, startWorld, type Tenant, until, type World } from './world.ts';

describe('Redis, when it is away', () => {
  let world: World;
  let tenant: Tenant;
  let agent: Api;
  beforeAll(async () => {
    world = await startWorld();
    tenant = await makeTenant(world.admin);
    agent = new Api(world.product.baseUrl, tenant.agentToken);
  });
  afterAll(() => world.stop(), 60_000);

  it('sign-in, reports and decisions go on', async () => {
    await world.backing.redis.stop();
    // An authenticator code is valid once: the next one may be half a minute away.
    await until(
      async () => (await new Api(world.product.baseUrl).signIn(world.product.administrator)).accessToken !== null,
      40,
    );
    await approve(await report('without-redis'));
    await world.backing.redis.start();
    await approve(await report('with-redis'));
  });

  const report = async (name: string): Promise<string> => {
    const body = {
      subject_username: 'ACME\\ada',
      target_executable_path: `C:\\Tools\\${name}.exe`,
      observed_at: new Date().toISOString(),
    };
    const answer = await agent.must<{ id: string; status: string }>(
      'POST',
      `/agents/${tenant.deviceId}/elevation-requests`,
      body,
    );
    expect(answer.status).toBe('pending');
    return answer.id;
  };

  const approve = async (id: string): Promise<void> => {
    expect(
      await world.admin.must('POST', `/pam/elevation-requests/${id}/respond`, { decision: 'approve' }),
    ).toMatchObject({ success: true, status: 'approved' });
  };
});

describe('identity, when its process is frozen', () => {
  let world: World<Fleet>;
  beforeAll(async () => {
    world = await startFleetWorld({ replicas: 1, lagMs: 0 });
  }, 240_000);
  afterAll(() => world.stop(), 60_000);

  it('ATK-14h: a session used a moment ago keeps working, and one that the gateway has not seen waits', async () => {
    const { admin, product } = world;
    let unseen = new Api(product.baseUrl);
    // An authenticator code is valid once: the next one may be half a minute away.
    await until(async () => {
      unseen = await unseen.signIn(product.administrator);
      return unseen.accessToken !== null;
    }, 40);
    await admin.must('GET', '/orgs/organizations?limit=1');
    const [identity] = product.replicasOf('identity');
    identity?.signal('SIGSTOP');
    try {
      await wait(CACHED_MS);
      const statuses = async (api: Api): Promise<number[]> => [
        (await api.call('GET', '/orgs/sites?limit=1')).status,
        (await api.call('GET', '/pam/elevation-requests?limit=1')).status,
      ];
      expect(await statuses(admin)).toEqual([200, 200]);
      expect(await statuses(unseen)).toEqual([503, 503]);
    } finally {
      identity?.signal('SIGCONT');
    }
    await until(async () => (await unseen.call('GET', '/orgs/sites?limit=1')).status === 200, 20);
  });

  /** Longer than the gateway caches an introspection and identity's signing keys without a word from identity. */
  const CACHED_MS = 6_000;
});
