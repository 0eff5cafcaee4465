import { type AgentCaller, asService, type Origin, ProblemError } from '@gatehouse/contracts-core';
import type { AgentAuthenticator } from '@gatehouse/auth';
import type { DeviceStatus, OrganizationStatus, PartnerStatus } from '@gatehouse/contracts-tenancy';
import { sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { RecordSeenAgents } from '../presence/record-seen-agents.ts';

interface AgentRow {
  readonly id: string;
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string;
  readonly hostname: string;
  readonly status: DeviceStatus;
  readonly organizationStatus: OrganizationStatus;
  readonly partnerStatus: PartnerStatus;
}

const BY_TOKEN = `
  SELECT d.id, d.partner_id, d.org_id, d.site_id, d.hostname, d.status, o.status AS organization_status, p.status AS partner_status
    FROM devices d JOIN organizations o ON o.id = d.org_id AND o.deleted_at IS NULL JOIN partners p ON p.id = d.partner_id AND p.deleted_at IS NULL
   WHERE d.agent_token_hash = $1`;

/** Finds a device by the hash of its token; tokens below deleted organisations and partners are invalid. */
@Injectable()
export class AuthenticateAgent implements AgentAuthenticator {
  constructor(
    private readonly work: UnitOfWork,
    private readonly seen: RecordSeenAgents,
  ) {}

  /** @throws ProblemError token_invalid, device_inactive, partner_inactive, organization_archived */
  async authenticate(token: string, origin: Origin): Promise<AgentCaller> {
    const agent = await this.work.read(asService('tenancy', origin), (reader) =>
      reader.one<AgentRow>(BY_TOKEN, [sha256Hex(token)]),
    );
    if (!agent) throw new ProblemError('token_invalid', 'The agent token is not valid.');
    if (agent.status === 'decommissioned') throw new ProblemError('device_inactive', 'This device is decommissioned.');
    if (agent.partnerStatus !== 'active') throw new ProblemError('partner_inactive', 'This partner is not active.');
    if (agent.organizationStatus === 'archived' || agent.organizationStatus === 'purging')
      throw new ProblemError('organization_archived', 'This organization is archived.');
    this.seen.note(agent.id);
    const { id, partnerId, orgId, siteId, hostname } = agent;
    return {
      kind: 'agent',
      id,
      deviceId: id,
      hostname,
      partnerId,
      orgId,
      siteId,
      origin,
      scope: { partner: partnerId, orgs: new Set([orgId]), sites: new Set([siteId]) },
    };
  }
}
