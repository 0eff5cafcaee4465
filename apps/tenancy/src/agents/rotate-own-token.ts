import { ProblemError } from '@gatehouse/contracts-core';
import type { RotatedAgentTokenResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishDevice } from '../rows/publish-state.ts';
import { requireNotFrozen } from '../scope/organizations-in-reach.repository.ts';
import { requireOwnDevice, type TenancyAgent } from './agent-caller.ts';
import { newAgentToken } from './agent-token.ts';
import { AgentsRepository } from './agents.repository.ts';

/** How long the old token works, so that no request of the agent that is under way fails. */
const GRACE_SECONDS = 60;

const invalidToken = (): ProblemError => new ProblemError('token_invalid', 'The agent token is not valid.');

/** Gives an agent a new token (TEN-61). */
@Injectable()
export class RotateOwnToken {
  constructor(
    private readonly work: UnitOfWork,
    private readonly agentsRepository: AgentsRepository,
  ) {}

  /**
   * An agent that has not received the answer asks again with its old token; the token of the lost answer then never
   * works, and the old one lives no longer than it would have.
   * @throws ProblemError device_mismatch, token_invalid, organization_frozen
   */
  execute(caller: TenancyAgent, id: string): Promise<RotatedAgentTokenResponse> {
    requireOwnDevice(caller, id);
    const { agentToken, agentTokenHash } = newAgentToken();
    return this.work.run(caller, async (tx) => {
      const tenant = await this.agentsRepository.lockTenant(tx, caller.orgId);
      if (!tenant) throw invalidToken();
      requireNotFrozen(tenant);
      const hashes = { oldHash: caller.tokenHash, newHash: agentTokenHash };
      const device = await this.agentsRepository.rotateToken(tx, id, hashes, GRACE_SECONDS);
      if (!device) throw invalidToken();
      const { partnerId, orgId, siteId, hostname } = device;
      tx.audit({
        action: 'device.agent_token.rotate',
        partnerId,
        orgId,
        siteId,
        resource: { type: 'device', id, name: hostname },
      });
      publishDevice(tx, device);
      return { agentToken };
    });
  }
}
