import type { UserCaller } from '@gatehouse/contracts-core';
import { ElevationRevoked, type RequestStatusResponse } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { DeviceCommandsRepository } from '../device-commands/device-commands.repository.ts';
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
    private readonly requests: ElevationRequestsRepository,
    private readonly commands: DeviceCommandsRepository,
  ) {}

  /** @throws ProblemError elevation_request_not_found, site_access_denied, not_active */
  execute(caller: UserCaller, id: string, reason: string): Promise<RequestStatusResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const moved = await this.requests.revoke(tx, caller, id, reason.trim());
      if (!moved) throw revocationProblem(caller, await this.requests.obstacle(tx, caller.scope, id));
      await this.commands.cancelActuation(tx, id);
      await this.commands.queueRevocation(tx, moved);
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
