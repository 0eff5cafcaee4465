import { asService, type Origin, ProblemError } from '@gatehouse/contracts-core';
import type { AgentAuthenticator } from '@gatehouse/auth';
import { sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { AgentTokens, type TenancyAgent } from './agents.service.ts';
import { SeenAgents } from './seen-agents.ts';
import { AgentsRepository } from './agents.repository.ts';

/** Authenticates an agent by the token of its device. */
@Injectable()
export class AuthenticateAgent implements AgentAuthenticator {
  constructor(
    private readonly work: UnitOfWork,
    private readonly agentsRepository: AgentsRepository,
    private readonly seenAgents: SeenAgents,
    private readonly agentTokens: AgentTokens,
  ) {}

  async authenticate(token: string, origin: Origin): Promise<TenancyAgent> {
    const tokenHash = sha256Hex(token);
    const agent = await this.work.read(asService('tenancy', origin), (reader) =>
      this.agentsRepository.findByTokenHash(reader, tokenHash),
    );
    if (agent && !agent.isValid) await this.agentTokens.reportReuse(tokenHash, origin);
    if (!agent?.isValid) throw new ProblemError('token_invalid', 'The agent token is not valid.');
    if (agent.status === 'decommissioned') throw new ProblemError('device_inactive', 'This device is decommissioned.');
    if (agent.partnerStatus !== 'active') throw new ProblemError('partner_inactive', 'This partner is not active.');
    if (agent.organizationStatus === 'archived' || agent.organizationStatus === 'purging')
      throw new ProblemError('organization_archived', 'This organisation is archived.');
    if (agent.endsPrevious) await this.agentTokens.endPrevious(tokenHash);
    this.seenAgents.add(agent.id);
    const { id, partnerId, orgId, siteId, hostname, agentProtocol } = agent;
    return {
      kind: 'agent',
      id,
      deviceId: id,
      hostname,
      tokenHash,
      agentProtocol,
      partnerId,
      orgId,
      siteId,
      origin,
      scope: { partner: partnerId, orgs: new Set([orgId]), sites: new Set([siteId]) },
    };
  }
}
