import { type ErrorCode, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import {
  type ActuateElevationDto,
  type ActuateElevationResponse,
  ElevationActuating,
  type ElevationStatus,
} from '@gatehouse/contracts-pam';
import { type Reader, type Tx, UnitOfWork } from '@gatehouse/database';
import { isActive } from '@gatehouse/pam-domain';
import { Injectable } from '@nestjs/common';
import { factOf, type TransitionedRequest, requestDetailsOf } from './transitioned-request.ts';
import { type RequestState, presentRequest, RequestTransitionsRepository } from './request-transitions.repository.ts';
import { requestNotFound } from './request-problems.ts';
import { PamConfig } from '../pam.config.ts';
import { CommandQueueRepository } from './command-queue.repository.ts';
import { type Device, DevicesRepository } from '../tenants/devices.repository.ts';
import { requireUsable } from '../tenants/require-place.ts';

/** A problem as a plain value, so that the transaction which audits it can commit before the error is thrown. */
interface Rejection {
  readonly code: ErrorCode;
  readonly detail: string;
}

/** Claims the approval and queues the command in one transaction; an approval can be used once (PAM-04, PAM-47). */
@Injectable()
export class ActuateElevation {
  constructor(
    private readonly work: UnitOfWork,
    private readonly devices: DevicesRepository,
    private readonly requestTransitions: RequestTransitionsRepository,
    private readonly commandQueue: CommandQueueRepository,
    private readonly config: PamConfig,
  ) {}

  async actuate(
    caller: UserCaller,
    deviceId: string,
    { elevationRequestId, timeoutMs }: ActuateElevationDto,
  ): Promise<ActuateElevationResponse> {
    if (!this.config.pamActuatorEnabled)
      throw new ProblemError('pam_actuator_disabled', 'Actuation is switched off in this installation.');
    const outcome = await this.work.once(
      caller,
      caller.idempotency,
      async (tx): Promise<{ id: string } | Rejection> => {
        const device = requireUsable(caller, await this.devices.find(tx, caller.scope, deviceId));
        await this.requestTransitions.holdRulebook(tx, elevationRequestId);
        const moved = await this.requestTransitions.actuate(tx, caller, elevationRequestId, device);
        return moved ? this.queue(tx, caller, moved, timeoutMs) : this.reject(tx, caller, device, elevationRequestId);
      },
      { keep: (result) => result, answer: (reader, kept) => this.again(reader, caller, elevationRequestId, kept) },
    );
    if ('code' in outcome) throw new ProblemError(outcome.code, outcome.detail).audited();
    return { success: true, id: outcome.id, elevationRequestId, status: 'queued' };
  }

  /** A repeated call learns of its command only while the elevation stands (PAM-300). */
  private async again(
    reader: Reader,
    caller: UserCaller,
    elevationRequestId: string,
    kept: { id: string } | Rejection,
  ): Promise<{ id: string } | Rejection> {
    if ('code' in kept) return kept;
    const { status } = await presentRequest(reader, caller.scope, elevationRequestId);
    return isActive(status) ? kept : wrongStatus(status);
  }

  private async queue(
    tx: Tx,
    caller: UserCaller,
    moved: TransitionedRequest,
    timeoutMs: number,
  ): Promise<{ id: string }> {
    const id = await this.commandQueue.queueActuation(tx, moved, timeoutMs);
    tx.emit(ElevationActuating, factOf(moved, caller.id), { aggregateId: moved.id });
    tx.audit({
      action: 'device.elevation.actuate',
      resource: { type: 'device', id: moved.deviceId, name: moved.deviceHostname },
      partnerId: moved.partnerId,
      orgId: moved.orgId,
      siteId: moved.siteId,
      details: { elevationRequestId: moved.id, commandId: id, timeoutMs, ...requestDetailsOf(moved) },
    });
    return { id };
  }

  private async reject(
    tx: Tx,
    caller: UserCaller,
    { deviceId, hostname, partnerId, orgId, siteId }: Device,
    elevationRequestId: string,
  ): Promise<Rejection> {
    const found = await this.requestTransitions.obstacle(tx, caller.scope, elevationRequestId);
    if (found?.deviceId !== deviceId || found.orgId !== orgId) throw requestNotFound();
    const rejection = rejectionOf(found);
    const details = { elevationRequestId, code: rejection.code, status: found.statusNow };
    tx.audit({
      action: 'device.elevation.actuate_rejected',
      resource: { type: 'device', id: deviceId, name: hostname },
      partnerId,
      orgId,
      siteId,
      result: 'failure',
      details,
    });
    return rejection;
  }
}

const wrongStatus = (status: ElevationStatus): Rejection => ({
  code: 'wrong_status',
  detail: `Only an approved request can be actuated; this one is ${status}.`,
});

function rejectionOf({ statusNow: status, frozen, freeze }: RequestState): Rejection {
  if (freeze) return { code: 'pam_frozen', detail: 'Privileged access is frozen here; nothing can be actuated now.' };
  if (status === 'actuating')
    return { code: 'race_lost', detail: 'This elevation request was claimed by another call.' };
  if (frozen && status === 'approved')
    return { code: 'organization_frozen', detail: 'The organisation is frozen; nothing can be actuated now.' };
  return wrongStatus(status);
}
