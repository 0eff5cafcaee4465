import type { UserCaller } from '@gatehouse/contracts-core';
import type { RequestStatusAnswer, RespondDto } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { DecideRequest } from './decide-request.ts';

/** PAM spec, "Respond". */
@Injectable()
export class RespondToRequest {
  constructor(
    private readonly work: UnitOfWork,
    private readonly decide: DecideRequest,
  ) {}

  /** @throws Refusal as {@link DecideRequest} */
  async execute(
    caller: UserCaller,
    id: string,
    { decision, durationMinutes, reason }: RespondDto,
  ): Promise<RequestStatusAnswer> {
    const approvalStatus = decision === 'approve' ? 'approved' : 'denied';
    const { status } = await this.work.run(caller, (tx) =>
      this.decide.within(tx, caller, {
        id,
        decision,
        durationMinutes,
        reason: reason ?? null,
        approvalStatus,
        audit: `pam.elevation_request.${decision}`,
      }),
    );
    return { success: true, id, status };
  }
}
