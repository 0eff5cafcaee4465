import { ProblemError } from '@gatehouse/contracts-core';
import type { DecidedByRecord, ReportedRequestResponse } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { DeviceCaller } from '../agents/token-authenticator.ts';
import { ReportedRequestsRepository } from './reported-requests.repository.ts';

const namedOf = (id: string | null, name: string | null): DecidedByRecord | null =>
  id === null ? null : { id, name: name ?? '' };

@Injectable()
export class ReportedRequestsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly reportedRequests: ReportedRequestsRepository,
  ) {}

  /** What became of a request that the agent's device has reported (PAM-94). */
  async get(caller: DeviceCaller, id: string): Promise<ReportedRequestResponse> {
    const row = await this.work.read(caller, (reader) =>
      this.reportedRequests.find(reader, caller.scope, caller.deviceId, id),
    );
    if (!row) throw new ProblemError('elevation_request_not_found', 'This device has reported no such request.');
    return {
      id: row.id,
      status: row.status,
      pendingUntil: row.pendingUntil?.toISOString() ?? null,
      expiresAt: row.status === 'pending' ? null : (row.expiresAt?.toISOString() ?? null),
      reason: row.revokeReason ?? row.decisionReason,
      rule: namedOf(row.pamRuleId, row.pamRuleName),
      policy: namedOf(row.matchedPolicyId, row.matchedPolicyName),
    };
  }
}
