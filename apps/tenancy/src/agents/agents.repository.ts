import type { DeviceStatus, OrganizationStatus, PartnerStatus } from '@gatehouse/contracts-tenancy';
import type { Reader, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

const BY_TOKEN = `
  SELECT d.id, d.partner_id, d.org_id, d.site_id, d.hostname, d.status, o.status AS organization_status, p.status AS partner_status
    FROM devices d JOIN organizations o ON o.id = d.org_id AND o.deleted_at IS NULL JOIN partners p ON p.id = d.partner_id AND p.deleted_at IS NULL
   WHERE d.agent_token_hash = $1`;
const TENANT = `
  SELECT o.status, p.status AS partner_status FROM organizations o JOIN partners p ON p.id = o.partner_id
   WHERE o.id = $1 AND o.deleted_at IS NULL AND p.deleted_at IS NULL FOR SHARE OF o`;

export interface AgentRow {
  readonly id: string;
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string;
  readonly hostname: string;
  readonly status: DeviceStatus;
  readonly organizationStatus: OrganizationStatus;
  readonly partnerStatus: PartnerStatus;
}

/** The statuses that decide whether agents can enrol. */
interface TenantStatuses {
  readonly status: OrganizationStatus;
  readonly partnerStatus: PartnerStatus;
}

/** Agents prove themselves with a token or a key, so they determine their tenant and need no scope. */
@Injectable()
export class AgentsRepository {
  /** Tokens below deleted organisations and partners are not found. */
  findByTokenHash(reader: Reader, tokenHash: string): Promise<AgentRow | null> {
    return reader.one<AgentRow>(BY_TOKEN, [tokenHash]);
  }

  /** Locks the organisation, so that a concurrent archive or merge waits. Null if it or its partner is deleted. */
  lockTenant(tx: Tx, orgId: string): Promise<TenantStatuses | null> {
    return tx.one<TenantStatuses>(TENANT, [orgId]);
  }
}
