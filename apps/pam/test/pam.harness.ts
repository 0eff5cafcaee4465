import type { Permission, Principal } from '@gatehouse/contracts-core';
import { TechnicianChanged } from '@gatehouse/contracts-identity';
import { type ElevationStatus, ElevationRequested, type FlowType, PushReachChanged } from '@gatehouse/contracts-pam';
import {
  DeviceChanged,
  OrganizationChanged,
  type OrganizationStatus,
  PartnerChanged,
  SiteChanged,
} from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { anOrgAdmin, type Client, TestService, type TestServiceOptions } from '@gatehouse/testing';
import { afterAll, beforeAll } from '@jest/globals';
import type { PamConfig } from '../src/pam.config.ts';
import { pamService } from '../src/service.ts';

/** An organisation with two sites and a device at each, as tenancy would have told of it. */
export interface Tenant {
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string;
  readonly otherSiteId: string;
  readonly deviceId: string;
  readonly otherDeviceId: string;
}

export interface RequestOptions {
  readonly status?: ElevationStatus;
  readonly flowType?: FlowType;
  readonly deviceId?: string;
  readonly requestedBy?: string;
  /** Seconds from now, by the database's clock. */
  readonly pendingSeconds?: number;
  readonly expiresSeconds?: number;
  readonly timeoutSeconds?: number;
  readonly path?: string;
}

const MINUTES_15 = 900;

/** Starts PAM before the tests of a suite, and stops it after them. */
export function besidePam(take: (started: PamHarness) => unknown, options?: TestServiceOptions): void {
  let pam: PamHarness;
  beforeAll(async () => void take((pam = await PamHarness.start(options))));
  afterAll(() => pam.stop());
}

export class PamHarness {
  private constructor(readonly service: TestService<PamConfig>) {}

  static async start(options: TestServiceOptions = {}): Promise<PamHarness> {
    return new PamHarness(await TestService.start(pamService, options));
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  as(principal: Principal | null): Client {
    return this.service.as(principal);
  }

  async tenant(partnerId: string = newId()): Promise<Tenant> {
    const tenant = {
      partnerId,
      orgId: newId(),
      siteId: newId(),
      otherSiteId: newId(),
      deviceId: newId(),
      otherDeviceId: newId(),
    };
    await this.organizationIs(tenant, 'active', 1);
    for (const siteId of [tenant.siteId, tenant.otherSiteId])
      await this.service.deliver(SiteChanged, {
        siteId,
        orgId: tenant.orgId,
        partnerId,
        name: `Site ${siteId.slice(-4)}`,
        deleted: false,
        version: 1,
      });
    await this.deviceIs(tenant, { deviceId: tenant.deviceId, siteId: tenant.siteId, version: 1 });
    await this.deviceIs(tenant, { deviceId: tenant.otherDeviceId, siteId: tenant.otherSiteId, version: 1 });
    return tenant;
  }

  partnerIs({ partnerId }: Tenant): Promise<void> {
    return this.service.deliver(PartnerChanged, {
      partnerId,
      name: 'Partner',
      slug: 'partner',
      status: 'active',
      deleted: false,
      version: 1,
    });
  }

  organizationIs({ orgId, partnerId }: Tenant, status: OrganizationStatus, version: number): Promise<void> {
    return this.service.deliver(OrganizationChanged, {
      orgId,
      partnerId,
      name: 'Acme',
      status,
      deleted: false,
      mergedIntoId: null,
      version,
    });
  }

  siteIsGone({ orgId, partnerId }: Tenant, siteId: string): Promise<void> {
    return this.service.deliver(SiteChanged, { siteId, orgId, partnerId, name: 'Gone', deleted: true, version: 2 });
  }

  deviceIs(
    { orgId, partnerId }: Tenant,
    device: {
      deviceId: string;
      siteId: string;
      version: number;
      status?: 'online' | 'awaiting_confirmation' | 'decommissioned';
    },
  ): Promise<void> {
    const { deviceId, siteId, version, status = 'online' } = device;
    return this.service.deliver(DeviceChanged, {
      deviceId,
      partnerId,
      orgId,
      siteId,
      groupIds: [],
      hostname: 'DESK-1',
      status,
      agentTokenHash: null,
      deleted: false,
      version,
    });
  }

  /** A technician as identity would have told of one, with a phone that a push can reach. */
  async technician(
    tenant: Tenant,
    overrides: Partial<Principal> & { subscriptions?: number; active?: boolean; version?: number } = {},
  ): Promise<Principal> {
    const { subscriptions = 1, active = true, version = 1, ...principal } = overrides;
    const technician = anOrgAdmin(tenant.partnerId, tenant.orgId, principal);
    const { userId, name, level, partnerId, orgs, sites, permissions } = technician;
    const reach = {
      level,
      partnerId,
      allOrgs: orgs === 'all',
      orgIds: orgs === 'all' ? [] : [...orgs],
      siteIds: sites === 'all' ? [] : [...sites],
      permissions: [...permissions] as Permission[],
    };
    await this.service.deliver(TechnicianChanged, {
      userId,
      name,
      email: `${userId}@example.test`,
      active,
      reaches: [reach],
      version,
    });
    await this.service.deliver(PushReachChanged, { userId, subscriptions, version: 1 });
    return technician;
  }

  /** A request as ingest would have stored it. */
  async request(tenant: Tenant, options: RequestOptions = {}): Promise<string> {
    const {
      status = 'pending',
      flowType = 'uac_intercept',
      deviceId = tenant.deviceId,
      requestedBy = null,
      pendingSeconds = MINUTES_15,
      expiresSeconds = MINUTES_15,
      timeoutSeconds = null,
      path = 'C:\\Setup.exe',
    } = options;
    const id = newId();
    await this.service.sql(
      `INSERT INTO elevation_requests (id, partner_id, org_id, device_id, device_hostname, flow_type, status,
        subject_username, target_executable_path, requested_by, pending_until, expires_at, timeout_at)
       VALUES ($1, $2, $3, $4, 'DESK-1', $5, $6, 'ann', $7, $8, now() + make_interval(secs => $9),
         CASE WHEN $6 IN ('approved', 'auto_approved', 'actuating', 'revoked') THEN now() + make_interval(secs => $10)
           END, now() + make_interval(secs => $11))`,
      [
        id,
        tenant.partnerId,
        tenant.orgId,
        deviceId,
        flowType,
        status,
        path,
        requestedBy,
        pendingSeconds,
        expiresSeconds,
        timeoutSeconds,
      ],
    );
    return id;
  }

  /** Many granted requests at once, as a busy month leaves them. */
  async requests({ partnerId, orgId, deviceId }: Tenant, count: number): Promise<void> {
    await this.service.sql(
      `INSERT INTO elevation_requests (id, partner_id, org_id, device_id, device_hostname, flow_type, status,
        subject_username, target_executable_path, expires_at)
       SELECT overlay(uuid_from_instant(now())::text PLACING substr(gen_random_uuid()::text, 15)
         FROM 15)::uuid, $1, $2, $3, 'DESK-1', 'uac_intercept', 'approved', 'ann', 'C:\\Setup.exe',
         now() + interval '15 minutes'
         FROM generate_series(1, $4)`,
      [partnerId, orgId, deviceId, count],
    );
  }

  /**
   * Gives the partner so many more organisations, and spreads its requests over all of them; their device is not known
   * to have moved away, which would end them.
   */
  async spreadOver({ partnerId, orgId }: Tenant, organizations: number): Promise<void> {
    await this.service.sql(
      `WITH made AS (
         INSERT INTO org_ref SELECT (jsonb_populate_record(o, jsonb_build_object('org_id', gen_random_uuid()))).*
           FROM org_ref o, generate_series(1, $2) WHERE o.org_id = $1 RETURNING org_id, partner_id)
       INSERT INTO rulebook_versions (org_id, partner_id, version) SELECT org_id, partner_id, 1 FROM made`,
      [orgId, organizations],
    );
    await this.service.sql(
      `WITH orgs AS (SELECT array_agg(org_id) AS ids FROM org_ref WHERE partner_id = $1)
       UPDATE elevation_requests SET org_id = ids[1 + floor(random() * array_length(ids, 1))::int],
         device_version = 1000 FROM orgs WHERE partner_id = $1`,
      [partnerId],
    );
  }

  /** Tells the service of a pending request, so that it writes the approvals. */
  announce({ orgId, partnerId, siteId, deviceId }: Tenant, elevationRequestId: string): Promise<void> {
    return this.service.deliver(ElevationRequested, {
      elevationRequestId,
      orgId,
      partnerId,
      siteId,
      deviceId,
      flowType: 'uac_intercept',
      status: 'pending',
      decisionSource: null,
    });
  }

  async statusOf(id: string): Promise<ElevationStatus | undefined> {
    const [row] = await this.service.sql<{ status: ElevationStatus }>(
      'SELECT status FROM elevation_requests WHERE id = $1',
      [id],
    );
    return row?.status;
  }

  commandsOf(requestId: string): Promise<{ id: string; type: string; status: string; payload: object }[]> {
    return this.service.sql(
      'SELECT id, type, status, payload FROM device_commands WHERE elevation_request_id = $1 ORDER BY id',
      [requestId],
    );
  }

  async rulebookVersion({ orgId }: Tenant): Promise<number> {
    const [row] = await this.service.sql<{ version: string }>(
      'SELECT version FROM rulebook_versions WHERE org_id = $1',
      [orgId],
    );
    return Number(row?.version ?? 1);
  }
}
