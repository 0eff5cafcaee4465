import { type AnonymousCaller, asService, type Caller } from '@gatehouse/contracts-core';
import type { EnrollAgentDto, EnrolledAgentResponse } from '@gatehouse/contracts-tenancy';
import { newId, randomToken, sha256Hex } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import { effectiveConfiguration } from '../configuration-policies/effective/effective-configuration.repository.ts';
import { requireBelowCaps } from '../devices/counts/device-caps.ts';
import { DeviceCountsRepository } from '../devices/counts/device-counts.repository.ts';
import { DevicesRepository } from '../devices/devices.repository.ts';
import type { UsedKey } from '../enrollment-keys/enrollment-keys.repository.ts';
import { publishDevice } from '../rows/publish-state.ts';
import { defaultSiteOf } from '../sites/default-site.repository.ts';
import { UseEnrollmentKey } from './use-enrollment-key.ts';

@Injectable()
export class EnrollAgent {
  constructor(
    private readonly work: UnitOfWork,
    private readonly useEnrollmentKey: UseEnrollmentKey,
    private readonly devicesRepository: DevicesRepository,
    private readonly deviceCountsRepository: DeviceCountsRepository,
    private readonly rateLimiter: RateLimiter,
  ) {}

  /**
   * Adds a device to the key's organisation. The answer contains the token, which is stored only as a hash.
   * @throws ProblemError enrollment_key_invalid, enrollment_key_expired, enrollment_key_exhausted,
   * organization_frozen, partner_inactive, device_limit_reached, rate_limited
   */
  async execute(caller: Caller | AnonymousCaller, draft: EnrollAgentDto): Promise<EnrolledAgentResponse> {
    const keyHash = sha256Hex(draft.enrollmentKey);
    await this.rateLimiter.require('enrolByKey', keyHash);
    // The caller is anonymous, so the key alone determines the tenant.
    return this.work.run(asService('tenancy', caller.origin), async (tx) => {
      const key = await this.useEnrollmentKey.execute(tx, keyHash);
      await requireBelowCaps(this.deviceCountsRepository, tx, key, 'outside');
      const siteId = key.siteId ?? (await defaultSiteOf(tx, key));
      return this.enrol(tx, { ...key, siteId }, draft);
    });
  }

  private async enrol(
    tx: Tx,
    { id: keyId, partnerId, orgId, siteId }: UsedKey & { siteId: string },
    { hostname, osType, osVersion, agentVersion, serialNumber }: EnrollAgentDto,
  ): Promise<EnrolledAgentResponse> {
    const deviceId = newId();
    const agentToken = `gha_${randomToken()}`;
    const place = { partnerId, orgId, siteId };
    const machine = { hostname, osType, osVersion, agentVersion, serialNumber };
    const agentTokenHash = sha256Hex(agentToken);
    const device = await this.devicesRepository.insert(tx, { id: deviceId, ...place, ...machine, agentTokenHash });
    tx.audit({
      action: 'device.enroll',
      ...place,
      resource: { type: 'device', id: deviceId, name: hostname },
      actor: { type: 'agent', id: deviceId, name: hostname },
      details: { enrollmentKeyId: keyId, osType },
    });
    publishDevice(tx, device);
    return { deviceId, agentToken, orgId, siteId, config: await effectiveConfiguration(tx, deviceId) };
  }
}
