import { foldName, ProblemError } from '@gatehouse/contracts-core';
import { DeviceReenrolled, type EnrollAgentDto, type EnrolledAgentResponse } from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';
import { distinctiveSerial } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { EnrollmentKeysRepository, type UsedKey } from '../enrollment-keys.repository.ts';
import { DevicePresenceRepository } from '../device-presence.repository.ts';
import { returned } from '../../scope/rows.repository.ts';
import { publishDevice } from '../../scope/publish-state.ts';
import { requireNotFrozen } from '../../scope/organizations-in-reach.repository.ts';
import { newAgentToken } from '../agents.service.ts';
import { AgentsRepository, type KnownMachine } from '../agents.repository.ts';

/** A request to enrol. */
export interface Enrolment {
  readonly draft: EnrollAgentDto;
  /** SHA-256 of the token that the agent presents, in hexadecimal; null without one. */
  readonly tokenHash: string | null;
  /** The version of the agent protocol that the agent states. */
  readonly protocol: number;
}

export interface EnrolledDevice {
  /** False if the machine got its device back. */
  readonly isNew: boolean;
  readonly device: Omit<EnrolledAgentResponse, 'config'>;
}

/** What the answer says of a machine that waits to become a device, whenever it enrols (TEN-101). */
export const waitingFor = (returnsAs: string) => ({ status: 'awaiting_confirmation', returnsAs }) as const;

const invalidKey = (): ProblemError => new ProblemError('enrollment_key_invalid', 'The enrolment key is not valid.');

function isSameMachine(known: KnownMachine, draft: EnrollAgentDto): boolean {
  const [serial, sent] = [distinctiveSerial(known.serialNumber), distinctiveSerial(draft.serialNumber)];
  if (foldName(known.hostname) !== foldName(draft.hostname)) return serial !== null && serial === sent;
  return serial === null || sent === null || serial === sent;
}

@Injectable()
export class AgentEnrolmentService {
  constructor(
    private readonly agentsRepository: AgentsRepository,
    private readonly devicePresenceRepository: DevicePresenceRepository,
    private readonly enrollmentKeysRepository: EnrollmentKeysRepository,
  ) {}

  /**
   * Locks and returns the device in service whose token the machine presents. The token is proof without a serial
   * number too, unless the machine has another one. Under another host name, only the serial number tells a renamed
   * machine from a copy of its disk.
   * @throws ProblemError token_invalid, if a token is presented that is not the machine's
   */
  async findByToken(tx: Tx, { orgId }: UsedKey, { draft, tokenHash }: Enrolment): Promise<KnownMachine | null> {
    if (tokenHash === null) return null;
    const machine = await this.agentsRepository.lockByOwnToken(tx, { orgId, osType: draft.osType }, tokenHash);
    if (!machine || !isSameMachine(machine, draft))
      throw new ProblemError('token_invalid', 'The agent token does not belong to this machine.');
    return machine;
  }

  /**
   * Locks and returns the device in service with the machine's serial number, if that is no placeholder (TEN-102).
   */
  async findBySerial(tx: Tx, { orgId }: UsedKey, { draft }: Enrolment): Promise<KnownMachine | null> {
    const serial = distinctiveSerial(draft.serialNumber);
    if (serial === null) return null;
    const { hostname, osType } = draft;
    return this.agentsRepository.lockBySerial(tx, { orgId, hostname, osType }, serial);
  }

  /**
   * Whether the machine may wait to become the device. A key of a site allows it for the devices of that site.
   */
  mayReturn(machine: KnownMachine, { siteId, allowReenrollment }: UsedKey): boolean {
    return allowReenrollment && (siteId === null || siteId === machine.siteId);
  }

  /** Tells the administrators, at most once a day, that a machine waits to become the device. */
  async tellOfWaiting(tx: Tx, { id, orgId, siteId, hostname }: KnownMachine, partnerId: string): Promise<void> {
    if (!(await this.agentsRepository.claimNotice(tx, id))) return;
    const event = { deviceId: id, partnerId, orgId, siteId, hostname, reason: 'awaiting_confirmation' } as const;
    tx.emit(DeviceReenrolled, event, { aggregateId: id });
  }

  /** Gives the machine that showed its own token its device back (TEN-60). */
  async reenrollAgent(tx: Tx, key: UsedKey, machine: KnownMachine, enrolment: Enrolment): Promise<EnrolledDevice> {
    const { osType, osVersion = null, agentVersion = null } = enrolment.draft;
    const hostname = enrolment.draft.hostname.trim();
    const { agentToken, agentTokenHash } = newAgentToken();
    const { id, orgId, siteId, status, returnsAs } = machine;
    const changes = {
      id,
      agentTokenHash,
      agentProtocol: enrolment.protocol,
      hostname,
      osType,
      osVersion,
      agentVersion,
    };
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
      details: {
        enrollmentKeyId: key.id,
        proof: 'token',
        ...(hostname !== machine.hostname && { formerHostname: machine.hostname }),
      },
    });
    publishDevice(tx, device);
    if (isTold)
      tx.emit(
        DeviceReenrolled,
        { deviceId: id, partnerId: key.partnerId, orgId, siteId, hostname },
        { aggregateId: id },
      );
    const waiting = status === 'awaiting_confirmation' && returnsAs && waitingFor(returnsAs);
    return { isNew: false, device: { deviceId: id, agentToken, orgId, siteId, ...waiting } };
  }

  /** The enrollment key, if agents can enrol with it. Its use is counted by {@link countUse}. */
  async findUsableKey(tx: Tx, keyHash: string): Promise<UsedKey> {
    const key = await this.enrollmentKeysRepository.findUsable(tx, keyHash);
    if (!key) throw await this.problemWith(tx, keyHash);
    const tenant = await this.agentsRepository.lockTenant(tx, key.orgId);
    if (!tenant) throw invalidKey();
    if (tenant.partnerStatus !== 'active') throw new ProblemError('partner_inactive', 'This partner is not active.');
    requireNotFrozen(tenant);
    return key;
  }

  /** Call this last: other machines that enrol with the key wait from here to the commit. */
  async countUse(tx: Tx, keyHash: string): Promise<void> {
    if (!(await this.enrollmentKeysRepository.countUse(tx, keyHash))) throw await this.problemWith(tx, keyHash);
  }

  private async problemWith(tx: Tx, keyHash: string): Promise<ProblemError> {
    const state = await this.enrollmentKeysRepository.stateOf(tx, keyHash);
    if (state?.expired) return new ProblemError('enrollment_key_expired', 'The enrolment key has expired.');
    if (state?.exhausted)
      return new ProblemError('enrollment_key_exhausted', 'The enrolment key has reached its maximum number of uses.');
    return invalidKey();
  }
}
