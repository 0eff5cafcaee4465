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

export interface Enrolled {
  readonly deviceId: string;
  readonly agentToken: string;
}

/** A machine without its token waits for confirmation: once it is refused, once confirmed. */
export async function returns({ log, anonymous, tenant }: Stage, boss: Person, machine: object): Promise<void> {
  const { key } = await boss.api.must<{ key: string }>('POST', '/enrollment-keys', {
    orgId: tenant.orgId,
    name: 'returns',
    allowReenrollment: true,
  });
  for (const answer of ['refuse', 'confirm'] as const) {
    const waiting = { ...machine, hostname: `pc-${answer}`, serialNumber: `SN-${answer}`, enrollmentKey: key };
    const { deviceId } = await anonymous.api.must<Enrolled>('POST', '/agents/enroll', waiting);
    const returning = await anonymous.api.must<Enrolled>('POST', '/agents/enroll', waiting);
    const id = answer === 'confirm' ? deviceId : returning.deviceId;
    await log.call(`POST /devices/{id}/return/${answer}`, {
      as: boss,
      params: { id: returning.deviceId },
      told: [{ action: `device.return.${answer}`, resource: 'device', id }],
    });
  }
}
