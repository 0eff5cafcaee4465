import { type AgentCaller, asService, type Origin, ProblemError } from '@gatehouse/contracts-core';
import {
  type AgentInventoryDto,
  type AgentInventoryResponse,
  DeviceReenrolled,
  type EffectiveConfigurationResponse,
  type RotatedAgentTokenResponse,
} from '@gatehouse/contracts-tenancy';
import { randomToken, sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { effectiveConfiguration } from '../configuration/configuration-policies.repository.ts';
import { returned } from '../scope/rows.repository.ts';
import { requireNotFrozen } from '../scope/organizations-in-reach.repository.ts';
import { publishDevice } from '../scope/publish-state.ts';
import { AgentsRepository, type Inventory } from './agents.repository.ts';

/** Generates a token, which is shown once and stored as a hash. */
export function newAgentToken(): { agentToken: string; agentTokenHash: string } {
  const agentToken = `gha_${randomToken()}`;
  return { agentToken, agentTokenHash: sha256Hex(agentToken) };
}

/** The agent as caller, with what tenancy needs to know about its token and protocol. */
export interface TenancyAgent extends AgentCaller {
  /** SHA-256 of the presented token, in hexadecimal. */
  readonly tokenHash: string;
  readonly agentProtocol: number;
}

function changesOf(known: Inventory, { agentVersion, osVersion, ...reported }: AgentInventoryDto): Partial<Inventory> {
  const serialNumber = reported.serialNumber?.trim() ?? reported.serialNumber;
  const named = Object.entries({ agentVersion, osVersion, serialNumber }).filter(
    ([member, value]) => value !== undefined && value !== known[member as keyof Inventory],
  );
  return Object.fromEntries(named);
}

/** How long the old token works, so that no request of the agent that is under way fails. */
const GRACE_SECONDS = 60;

const invalidToken = (): ProblemError => new ProblemError('token_invalid', 'The agent token is not valid.');

@Injectable()
export class AgentsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly agentsRepository: AgentsRepository,
  ) {}

  getAgentConfiguration(caller: AgentCaller): Promise<EffectiveConfigurationResponse> {
    return this.work.read(caller, (reader) => effectiveConfiguration(reader, caller.deviceId));
  }

  /**
   * Stores what an agent reports about its machine (TEN-62).
   * A member that is left out keeps its value. An inventory that changes nothing leaves no trace.
   */
  updateInventory(caller: TenancyAgent, reported: AgentInventoryDto): Promise<AgentInventoryResponse> {
    const id = caller.deviceId;
    return this.work.run(caller, async (tx) => {
      const tenant = await this.agentsRepository.lockTenant(tx, caller.orgId);
      if (tenant) requireNotFrozen(tenant);
      const known = await this.agentsRepository.lockInventory(tx, id);
      if (!tenant || !known) throw new ProblemError('token_invalid', 'The agent token is not valid.');
      const changes = changesOf(known, reported);
      const changedFields = Object.keys(changes);
      if (changedFields.length === 0) return { deviceId: id, ...known };
      const device = returned(await this.agentsRepository.updateInventory(tx, id, changes));
      const { partnerId, orgId, siteId, hostname } = device;
      tx.audit({
        action: 'device.inventory.update',
        partnerId,
        orgId,
        siteId,
        resource: { type: 'device', id, name: hostname },
        details: { changedFields },
      });
      publishDevice(tx, device);
      return { deviceId: id, ...known, ...changes };
    });
  }

  /**
   * Keeps the protocol that an agent states, so that an agent that was updated needs no new enrolment.
   * @param stated null if the request states none, which changes nothing
   */
  async recordAgentProtocol(caller: TenancyAgent, stated: number | null): Promise<void> {
    if (stated === null || stated === caller.agentProtocol) return;
    await this.work.run(caller, async (tx) => {
      const device = await this.agentsRepository.stateProtocol(tx, caller.deviceId, stated);
      if (device) publishDevice(tx, device);
    });
  }

  /**
   * Gives an agent a new token (TEN-61).
   * An agent that has not received the answer asks again with its old token; the token of the lost answer then never
   * works, and the old one lives no longer than it would have.
   */
  rotateOwnToken(caller: TenancyAgent): Promise<RotatedAgentTokenResponse> {
    const id = caller.deviceId;
    const { agentToken, agentTokenHash } = newAgentToken();
    return this.work.run(caller, async (tx) => {
      const tenant = await this.agentsRepository.lockTenant(tx, caller.orgId);
      if (!tenant) throw invalidToken();
      requireNotFrozen(tenant);
      const hashes = { oldHash: caller.tokenHash, newHash: agentTokenHash };
      const device = await this.agentsRepository.rotateToken(tx, id, hashes, GRACE_SECONDS);
      if (!device) throw invalidToken();
      const { partnerId, orgId, siteId, hostname, status } = device;
      if (status === 'awaiting_confirmation')
        throw new ProblemError('device_awaiting_confirmation', 'Nobody has confirmed yet which machine this is.');
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

/** A thief's agent repeats itself: one record and one mail an hour for each token are enough. */
const REPORTED = { max: 10_000, ttl: 60 * 60 * 1000 };

/** What follows from the use of agent tokens (TEN-103). */
@Injectable()
export class AgentTokens {
  private readonly reported = new LRUCache<string, true>(REPORTED);

  constructor(
    private readonly work: UnitOfWork,
    private readonly agentsRepository: AgentsRepository,
  ) {}

  /** Ends the token that the device's agent has replaced, because the agent used the new one. */
  async endPrevious(tokenHash: string): Promise<void> {
    await this.work.background(asService('tenancy'), async (tx) => {
      const device = await this.agentsRepository.endPreviousToken(tx, tokenHash);
      if (device) publishDevice(tx, device);
    });
  }

  /** Records the use of a token that was replaced and is over, as a sign that it was stolen. */
  async reportReuse(tokenHash: string, origin?: Origin): Promise<void> {
    if (this.reported.has(tokenHash)) return;
    const isKnown = await this.work.run(asService('tenancy', origin), async (tx) => {
      const device = await this.agentsRepository.findByReplacedToken(tx, tokenHash);
      if (!device) return false;
      const { id, partnerId, orgId, siteId, hostname } = device;
      tx.audit({
        action: 'device.token_reuse',
        partnerId,
        orgId,
        siteId,
        resource: { type: 'device', id, name: hostname },
        actor: { type: 'agent', id, name: hostname },
        result: 'denied',
      });
      const event = { deviceId: id, partnerId, orgId, siteId, hostname, reason: 'token_reuse' } as const;
      tx.emit(DeviceReenrolled, event, { aggregateId: id });
      return true;
    });
    if (isKnown) this.reported.set(tokenHash, true);
  }
}
