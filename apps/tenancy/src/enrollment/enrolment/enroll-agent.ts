import { type AnonymousCaller, asService, type Caller } from '@gatehouse/contracts-core';
import type { EnrolledAgentResponse } from '@gatehouse/contracts-tenancy';
import { newId, sha256Hex } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import { effectiveConfiguration } from '../../configuration/configuration-policies.repository.ts';
import { requireBelowCaps } from '../../devices/counts/device-caps.ts';
import { DeviceCountsRepository } from '../../devices/counts/device-counts.repository.ts';
import { DevicesRepository } from '../../devices/devices.repository.ts';
import type { UsedKey } from '../enrollment-keys.repository.ts';
import { publishDevice } from '../../scope/publish-state.ts';
import { defaultSiteOf } from '../../sites/sites.repository.ts';
import { newAgentToken } from '../agents.service.ts';
import { AgentEnrolmentService, type EnrolledDevice, type Enrolment, waitingFor } from './agent-enrolment.service.ts';

/** The device of the same machine: one that it waits to become, or one that it does not get back. */
type FormerDevice = Pick<EnrolledAgentResponse, 'returnsAs' | 'possibleDuplicateOf'>;

@Injectable()
export class EnrollAgent {
  constructor(
    private readonly work: UnitOfWork,
    private readonly agentEnrolment: AgentEnrolmentService,
    private readonly devicesRepository: DevicesRepository,
    private readonly deviceCountsRepository: DeviceCountsRepository,
    private readonly rateLimiter: RateLimiter,
  ) {}

  /**
   * Adds a device to the key's organisation, or gives a machine its device back. The answer contains the token, which
   * is stored only as a hash.
   */
  async enroll(
    caller: Caller | AnonymousCaller,
    enrolment: Enrolment,
  ): Promise<{ isNew: boolean; answer: EnrolledAgentResponse }> {
    const keyHash = sha256Hex(enrolment.draft.enrollmentKey);
    await this.rateLimiter.require('enrolByKey', keyHash);
    // The caller is anonymous, so the key alone determines the tenant.
    return this.work.run(asService('tenancy', caller.origin), async (tx) => {
      const key = await this.agentEnrolment.findUsableKey(tx, keyHash);
      const own = await this.agentEnrolment.findByToken(tx, key, enrolment);
      const { isNew, device } = own
        ? await this.agentEnrolment.reenrollAgent(tx, key, own, enrolment)
        : await this.enrolAsNew(tx, key, enrolment);
      const config = await effectiveConfiguration(tx, device.deviceId);
      await this.agentEnrolment.countUse(tx, keyHash);
      return { isNew, answer: { ...device, config } };
    });
  }

  private async enrolAsNew(tx: Tx, key: UsedKey, enrolment: Enrolment): Promise<EnrolledDevice> {
    const former = await this.agentEnrolment.findBySerial(tx, key, enrolment);
    if (!former) return this.enrol(tx, key, enrolment, {});
    if (!this.agentEnrolment.mayReturn(former, key))
      return this.enrol(tx, key, enrolment, { possibleDuplicateOf: former.id });
    await this.agentEnrolment.tellOfWaiting(tx, former, key.partnerId);
    return this.enrol(tx, key, enrolment, { returnsAs: former.id });
  }

  private async enrol(
    tx: Tx,
    key: UsedKey,
    { draft, protocol: agentProtocol }: Enrolment,
    former: FormerDevice,
  ): Promise<EnrolledDevice> {
    await requireBelowCaps(this.deviceCountsRepository, tx, key, 'outside');
    const place = { partnerId: key.partnerId, orgId: key.orgId, siteId: key.siteId ?? (await defaultSiteOf(tx, key)) };
    const { osType, osVersion, agentVersion } = draft;
    const [hostname, serialNumber] = [draft.hostname.trim(), draft.serialNumber?.trim()];
    const machine = { hostname, osType, osVersion, agentVersion, serialNumber, agentProtocol };
    const { agentToken, agentTokenHash } = newAgentToken();
    const id = newId();
    const row = { id, ...place, ...machine, agentTokenHash, returnsAs: former.returnsAs };
    const device = await this.devicesRepository.insert(tx, row);
    tx.audit({
      action: 'device.enroll',
      ...place,
      resource: { type: 'device', id, name: hostname },
      actor: { type: 'agent', id, name: hostname },
      details: { enrollmentKeyId: key.id, osType, ...former },
    });
    publishDevice(tx, device);
    const { orgId, siteId } = place;
    return {
      isNew: true,
      device: {
        deviceId: id,
        agentToken,
        orgId,
        siteId,
        ...former,
        ...(former.returnsAs && waitingFor(former.returnsAs)),
      },
    };
  }
}
