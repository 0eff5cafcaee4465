import { ProblemError } from '@gatehouse/contracts-core';
import { DeviceReenrolled } from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { UsedKey } from '../../enrollment-keys/enrollment-keys.repository.ts';
import { DevicePresenceRepository } from '../../presence/device-presence.repository.ts';
import { returned } from '../../rows/assignments.ts';
import { publishDevice } from '../../rows/publish-state.ts';
import { newAgentToken } from '../agent-token.ts';
import { AgentsRepository, type KnownMachine } from '../agents.repository.ts';
import type { Enrolment, EnrolledDevice } from './enrolment.ts';

/** How long a device must have been offline before its machine can enrol again without the old token. */
const OFFLINE_MINUTES = 10;

/** Recognises machines that enrol again, and gives them their device back (TEN-60). */
@Injectable()
export class ReenrollAgent {
  constructor(
    private readonly agentsRepository: AgentsRepository,
    private readonly devicePresenceRepository: DevicePresenceRepository,
  ) {}

  /**
   * Locks and returns the device in service of the same machine.
   * @throws ProblemError token_invalid, if a token is presented that is not the machine's
   */
  async find(tx: Tx, { orgId }: UsedKey, { draft, tokenHash }: Enrolment): Promise<KnownMachine | null> {
    const { hostname, serialNumber } = draft;
    const machine = serialNumber?.trim()
      ? await this.agentsRepository.lockMachine(tx, { orgId, hostname, serialNumber }, tokenHash, OFFLINE_MINUTES)
      : null;
    if (tokenHash !== null && !machine?.hasToken)
      throw new ProblemError('token_invalid', 'The agent token is not the token of this machine.');
    return machine;
  }

  /**
   * Whether the machine gets its device back: it has the old token, or it is offline and the key allows it. A key of a
   * site allows it for the devices of that site.
   */
  isAllowed(machine: KnownMachine, { siteId, allowReenrollment }: UsedKey): boolean {
    if (machine.hasToken) return true;
    return allowReenrollment && machine.isOffline && (siteId === null || siteId === machine.siteId);
  }

  async execute(tx: Tx, key: UsedKey, machine: KnownMachine, enrolment: Enrolment): Promise<EnrolledDevice> {
    const { osType, osVersion = null, agentVersion = null } = enrolment.draft;
    const { agentToken, agentTokenHash } = newAgentToken();
    const { id, orgId, siteId, hostname } = machine;
    const changes = { id, agentTokenHash, agentProtocol: enrolment.protocol, osType, osVersion, agentVersion };
    // Before the device is read for its event, because each change of the row has a version.
    const isTold = await this.agentsRepository.claimNotice(tx, id);
    const device = returned(await this.agentsRepository.reenrol(tx, changes));
    await this.devicePresenceRepository.record(tx, [id]);
    tx.audit({
      action: 'device.reenroll',
      partnerId: key.partnerId,
      orgId,
      siteId,
      resource: { type: 'device', id, name: hostname },
      actor: { type: 'agent', id, name: hostname },
      details: { enrollmentKeyId: key.id, proof: machine.hasToken ? 'token' : 'offline' },
    });
    publishDevice(tx, device);
    if (isTold)
      tx.emit(
        DeviceReenrolled,
        { deviceId: id, partnerId: key.partnerId, orgId, siteId, hostname },
        { aggregateId: id },
      );
    return { isNew: false, device: { deviceId: id, agentToken, orgId, siteId } };
  }
}
