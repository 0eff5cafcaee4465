import type { GuardedRequest } from '@gatehouse/auth';
import { ProblemError } from '@gatehouse/contracts-core';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';

/** An agent may use the routes of its own device only (decisions, "agent `:id`"). */
@Injectable()
export class OwnDevice implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { caller, params } = context.switchToHttp().getRequest<GuardedRequest & { params: { id?: string } }>();
    if (caller?.kind !== 'agent' || params.id?.toLowerCase() !== caller.deviceId)
      throw new ProblemError('device_mismatch', 'This token belongs to another device.');
    return true;
  }
}
