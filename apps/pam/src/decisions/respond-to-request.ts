import type { UserCaller } from '@gatehouse/contracts-core';
import type { RespondDto, RespondedResponse } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { ticketOf } from '@gatehouse/pam-domain';
import { Injectable } from '@nestjs/common';
import { DecideRequest } from './decide-request.ts';

/** A technician approves or denies a request in the dashboard (PAM-01). */
@Injectable()
export class RespondToRequest {
  constructor(
    private readonly work: UnitOfWork,
    private readonly decideRequest: DecideRequest,
  ) {}

  /** @throws ProblemError as {@link DecideRequest} */
  async execute(
    caller: UserCaller,
    id: string,
    { decision, durationMinutes, reason, ticket }: RespondDto,
  ): Promise<RespondedResponse> {
    const approvalStatus = decision === 'approve' ? 'approved' : 'denied';
    const verdict = {
      id,
      decision,
      durationMinutes,
      reason: reason ?? null,
      ticket: ticketOf(ticket),
      approvalStatus,
      audit: `pam.elevation_request.${decision}`,
    } as const;
    const { moved, votesGiven } = await this.work.once(
      caller,
      caller.idempotency,
      (tx) => this.decideRequest.within(tx, caller, verdict),
      { keep: () => id, answer: (reader) => this.decideRequest.again(reader, caller, verdict) },
    );
    return { success: true, id, status: moved.status, votesGiven, votesRequired: moved.votesRequired };
  }
}
