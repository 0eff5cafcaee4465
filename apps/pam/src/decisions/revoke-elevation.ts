import type { UserCaller } from '@gatehouse/contracts-core';
import { ElevationRevoked, type RequestStatusResponse } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { CommandQueueRepository } from '../device-commands/command-queue.repository.ts';
import { factOf, toolDetailsOf } from '../elevation-requests/elevation-request.view.ts';
import { ElevationRequestsRepository } from '../elevation-requests/elevation-requests.repository.ts';
import { revocationProblem } from '../elevation-requests/request-problems.ts';

/**
 * Revokes an elevation (PAM-08): ends the window, cancels commands that the device has not fetched, and queues a
 * revocation for the device.
 */
@Injectable()
export class RevokeElevation {
  constructor(
    private readonly work: UnitOfWork,
    private readonly elevationRequests: ElevationRequestsRepository,
    private readonly commandQueue: CommandQueueRepository,
  ) {}

  /** @throws ProblemError elevation_request_not_found, site_access_denied, not_active */
  execute(caller: UserCaller, id: string, reason: string): Promise<RequestStatusResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const moved = await this.elevationRequests.revoke(tx, caller, id, reason.trim());
      if (!moved) throw revocationProblem(caller, await this.elevationRequests.obstacle(tx, caller.scope, id));
      await this.commandQueue.cancelActuation(tx, id);
      await this.commandQueue.queueRevocation(tx, moved);
      tx.emit(ElevationRevoked, factOf(moved, caller.id), { aggregateId: id });
      tx.audit({
        action: 'pam.elevation_request.revoke',
        resource: { type: 'pam.elevation_request', id, name: moved.deviceHostname },
        partnerId: moved.partnerId,
        orgId: moved.orgId,
        siteId: moved.siteId,
        details: { reason: reason.trim(), flowType: moved.flowType, deviceId: moved.deviceId, ...toolDetailsOf(moved) },
      });
      return { success: true, id, status: moved.status };
    });
  }
}
