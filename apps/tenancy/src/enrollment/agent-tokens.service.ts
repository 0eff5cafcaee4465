import { asService, type Origin } from '@gatehouse/contracts-core';
import { DeviceReenrolled } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AgentsRepository } from './agents.repository.ts';
import { publishDevice } from '../scope/publish-state.ts';

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
