import { AgentConnection, SimulatedAgent } from '@gatehouse/agent-sim';
import { text, type ProductClient } from '../product-client.ts';
import type { Device, Tenant, Tour } from '../journey.ts';

export async function devices(
  { journey, product, run }: Tour,
  admin: ProductClient,
  { orgId, siteId }: Tenant,
): Promise<Device> {
  journey.chapter('A device is enrolled');
  const created = await journey.step(
    'create an enrolment key for one device',
    201,
    () => admin.post('/enrollment-keys', { orgId, siteId, name: 'Demo', maxUsage: 1 }),
    { shows: ['id', 'maxUsage'] },
  );
  const enrollmentKey = text(created.body, 'key');
  const door = new AgentConnection({ baseUrl: product.baseUrl, patienceMs: 15_000 });
  const hostname = `LAPTOP-${run.toUpperCase()}`;
  let agent: SimulatedAgent | undefined;
  await journey.check('an agent enrols with it', async () => {
    agent = await SimulatedAgent.enroll(door, { enrollmentKey, hostname });
    return `deviceId=${agent.identity.deviceId}`;
  });
  if (!agent) throw new Error('no agent');
  await journey.step(
    'the key is used up',
    401,
    () => product.post('/agents/enroll', { enrollmentKey, hostname: 'ANOTHER', osType: 'windows' }),
    { shows: ['code'], holds: (body) => body['code'] === 'enrollment_key_exhausted' },
  );
  const { deviceId } = agent.identity;
  await journey.step('the device stands in its site', 200, () => admin.get(`/devices?orgId=${orgId}`), {
    holds: (body) => text(body, 'data.0.id') === deviceId && text(body, 'data.0.siteId') === siteId,
    shows: ['data.0.hostname'],
  });
  return { agent, deviceId };
}
