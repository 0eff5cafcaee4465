import type { UserCaller } from '@gatehouse/contracts-core';
import { ElevationRevoked, type RequestStatusResponse } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { CommandQueueRepository } from '../device-commands/command-queue.repository.ts';
import { factOf, requestDetailsOf } from '../request-states/moved-request.ts';
import { tellRequester } from '../request-states/tell-requester.ts';
import { RequestTransitionsRepository } from '../request-states/request-transitions.repository.ts';
import { revocationProblem } from '../request-states/request-problems.ts';

/**
 * Revokes an elevation (PAM-08): ends the window, cancels commands that the device has not fetched, and queues a
 * revocation for the device.
 */
@Injectable()
export class RevokeElevation {
  constructor(
    private readonly work: UnitOfWork,
    private readonly requestTransitions: RequestTransitionsRepository,
    private readonly commandQueue: CommandQueueRepository,
  ) {}

  /** @throws ProblemError elevation_request_not_found, site_access_denied, not_active */
  execute(caller: UserCaller, id: string, reason: string): Promise<RequestStatusResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const moved = await this.requestTransitions.revoke(tx, caller, id, reason.trim());
      if (!moved) throw revocationProblem(caller, await this.requestTransitions.obstacle(tx, caller.scope, id));
      await this.commandQueue.cancelActuation(tx, id);
      await this.commandQueue.queueRevocation(tx, moved);
      tx.emit(ElevationRevoked, factOf(moved, caller.id), { aggregateId: id });
      tellRequester(tx, moved);
      tx.audit({
        action: 'pam.elevation_request.revoke',
        resource: { type: 'pam.elevation_request', id, name: moved.deviceHostname },
        partnerId: moved.partnerId,
        orgId: moved.orgId,
        siteId: moved.siteId,
        details: { reason: reason.trim(), ...requestDetailsOf(moved) },
      });
      return { success: true, id, status: moved.status };
    });
  }
}
