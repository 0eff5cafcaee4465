import { type AnonymousCaller, asService, type Caller, ProblemError } from '@gatehouse/contracts-core';
import type {
  EnrollAgentDto,
  EnrolledAgentResponse,
  OrganizationStatus,
  PartnerStatus,
} from '@gatehouse/contracts-tenancy';
import { newId, randomToken, sha256Hex } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { RATE_LIMITS } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import type { limitsFrom } from '@gatehouse/rate-limit';
import { effectiveConfiguration } from '../configuration-policies/effective/effective-configuration.ts';
import { publishDevice, type PublishedDevice, DEVICE_STATE } from '../rows/publish-state.ts';
import { returned } from '../rows/assignments.ts';
import { requireNotFrozen } from '../scope/organizations-in-reach.repository.ts';
import { defaultSiteOf } from '../sites/default-site.repository.ts';
import { requireRoomForDevice } from '../devices/counts/device-caps.ts';

interface KeyUse {
  readonly id: string;
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string | null;
}
interface KeyState {
  readonly expired: boolean;
  readonly exhausted: boolean;
}
interface Tenant {
  readonly status: OrganizationStatus;
  readonly partnerStatus: PartnerStatus;
}

const USE_KEY = `
  UPDATE enrollment_keys SET usage_count = usage_count + 1
   WHERE key = $1 AND (expires_at IS NULL OR expires_at > now()) AND (max_usage IS NULL OR usage_count < max_usage)
  RETURNING id, partner_id, org_id, site_id`;
const KEY_STATE =
  'SELECT expires_at <= now() AS expired, usage_count >= max_usage AS exhausted FROM enrollment_keys WHERE key = $1';
const TENANT = `
  SELECT o.status, p.status AS partner_status FROM organizations o JOIN partners p ON p.id = o.partner_id
   WHERE o.id = $1 AND o.deleted_at IS NULL AND p.deleted_at IS NULL FOR SHARE OF o`;
const INSERT = `
  INSERT INTO devices AS d (id, partner_id, org_id, site_id, hostname, os_type, os_version, agent_version, serial_number, agent_token_hash, last_seen_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now()) RETURNING ${DEVICE_STATE}`;

const invalidKey = (): ProblemError => new ProblemError('enrollment_key_invalid', 'The enrollment key is not valid.');

@Injectable()
export class EnrollAgent {
  constructor(
    private readonly work: UnitOfWork,
    private readonly limiter: RateLimiter,
    @Inject(RATE_LIMITS) private readonly limits: ReturnType<typeof limitsFrom>,
  ) {}

  /**
   * Adds a device to the key's organisation. The answer contains the token, which is stored only as a hash.
   * @throws ProblemError enrollment_key_invalid, enrollment_key_expired, enrollment_key_exhausted,
   * organization_frozen, partner_inactive, device_limit_reached, rate_limited
   */
  async execute(caller: Caller | AnonymousCaller, draft: EnrollAgentDto): Promise<EnrolledAgentResponse> {
    const keyHash = sha256Hex(draft.enrollmentKey);
    await this.limiter.require(this.limits.enrolByClient, caller.origin.ip ?? 'unknown');
    await this.limiter.require(this.limits.enrolByKey, keyHash);
    // The caller is anonymous, so the key alone determines the tenant.
    return this.work.run(asService('tenancy', caller.origin), async (tx) => {
      const key = await this.useKey(tx, keyHash);
      await this.requireOpenTenant(tx, key.orgId);
      await requireRoomForDevice(tx, key, 'outside');
      const siteId = key.siteId ?? (await defaultSiteOf(tx, key));
      return this.enrol(tx, { ...key, siteId }, draft);
    });
  }

  private async useKey(tx: Tx, keyHash: string): Promise<KeyUse> {
    const key = await tx.one<KeyUse>(USE_KEY, [keyHash]);
    if (key) return key;
    const state = await tx.one<KeyState>(KEY_STATE, [keyHash]);
    if (state?.expired) throw new ProblemError('enrollment_key_expired', 'The enrollment key has expired.');
    if (state?.exhausted)
      throw new ProblemError('enrollment_key_exhausted', 'The enrollment key has been used as often as it may be.');
    throw invalidKey();
  }

  private async requireOpenTenant(tx: Tx, orgId: string): Promise<void> {
    const tenant = await tx.one<Tenant>(TENANT, [orgId]);
    if (!tenant) throw invalidKey();
    if (tenant.partnerStatus !== 'active') throw new ProblemError('partner_inactive', 'This partner is not active.');
    requireNotFrozen(tenant);
  }

  private async enrol(
    tx: Tx,
    { id: keyId, partnerId, orgId, siteId }: KeyUse & { siteId: string },
    draft: EnrollAgentDto,
  ): Promise<EnrolledAgentResponse> {
    const deviceId = newId();
    const agentToken = `gha_${randomToken()}`;
    const { hostname, osType, osVersion, agentVersion, serialNumber } = draft;
    const values = [
      deviceId,
      partnerId,
      orgId,
      siteId,
      hostname,
      osType,
      osVersion,
      agentVersion,
      serialNumber,
      sha256Hex(agentToken),
    ];
    const device = returned(await tx.one<PublishedDevice>(INSERT, values));
    tx.audit({
      action: 'device.enroll',
      partnerId,
      orgId,
      siteId,
      resource: { type: 'device', id: deviceId, name: hostname },
      actor: { type: 'agent', id: deviceId, name: hostname },
      details: { enrollmentKeyId: keyId, osType },
    });
    publishDevice(tx, device);
    return { deviceId, agentToken, orgId, siteId, config: await effectiveConfiguration(tx, deviceId) };
  }
}
