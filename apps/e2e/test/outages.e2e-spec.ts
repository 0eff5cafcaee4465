import { Api } from '@gatehouse/stack';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeTenant, startWorld, type Tenant, until, type World } from './world.ts';

describe('Redis, when it is away', () => {
  let world: World;
  let tenant: Tenant;
  let agent: Api;
  beforeAll(async () => {
    world = await startWorld();
    tenant = await makeTenant(world.admin);
    agent = new Api(world.product.baseUrl, tenant.agentToken);
  }, 180_000);
  afterAll(() => world.stop(), 60_000);

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
  }, 90_000);
});
