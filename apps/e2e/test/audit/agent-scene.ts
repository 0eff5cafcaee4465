import type { Person } from './recorder.ts';
import type { Stage } from './stage.ts';

/** What an agent does with its own device: it reports its inventory, replaces its token, and enrols again. */
export async function ownDevice({ log }: Stage, agent: Person, enrolment: object): Promise<void> {
  const { id } = agent.actor;
  const on = { as: agent, params: { id: String(id) } };
  await log.call('PUT /agents/{id}/inventory', {
    ...on,
    body: { agentVersion: '2.0.0' },
    told: [{ action: 'device.inventory.update', resource: 'device' }],
  });
  await log.call('POST /agents/{id}/token/rotate', {
    ...on,
    told: [{ action: 'device.agent_token.rotate', resource: 'device' }],
  });
  await log.call('POST /agents/enroll', {
    as: agent,
    body: enrolment,
    told: [{ action: 'device.reenroll', resource: 'device', id }],
  });
}
