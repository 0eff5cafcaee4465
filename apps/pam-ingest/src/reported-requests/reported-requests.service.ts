import { ProblemError, type TenantScope } from '@gatehouse/contracts-core';
import type {
  DecidedByRecord,
  JustifiedRequestResponse,
  JustifyRequestDto,
  ReportedRequestResponse,
} from '@gatehouse/contracts-pam';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { ticketGap, ticketOf } from '@gatehouse/pam-domain';
import { justificationOfRequest } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { requireReporting } from '../agents/agent-devices.ts';
import type { DeviceCaller } from '../agents/agent-devices.ts';
import {
  type Justified,
  JustifiedRequestsRepository,
  ReportedRequestsRepository,
} from './reported-requests.repository.ts';

const namedOf = (id: string | null, name: string | null): DecidedByRecord | null =>
  id === null ? null : { id, name: name ?? '' };

@Injectable()
export class ReportedRequestsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly reportedRequests: ReportedRequestsRepository,
  ) {}

  /** What became of a request that the agent's device has reported, also in the organisation before (PAM-94). */
  async get(caller: DeviceCaller, id: string): Promise<ReportedRequestResponse> {
    const scope: TenantScope = { ...caller.scope, orgs: 'all', sites: 'all' };
    const row = await this.work.read({ ...caller, scope }, (reader) =>
      this.reportedRequests.find(reader, scope, caller.deviceId, id),
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

function note(tx: Tx, justified: Justified, given: { readonly reason: string; readonly ticket: string | null }): void {
  const { id, deviceHostname, partnerId, orgId, siteId, status: _, ...about } = justified;
  tx.audit({
    action: 'pam.elevation_request.justify',
    resource: { type: 'pam.elevation_request', id, name: deviceHostname },
    partnerId,
    orgId,
    siteId,
    details: { ...about, ...given },
  });
}

@Injectable()
export class JustifyRequestService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly reportedRequests: ReportedRequestsRepository,
    private readonly justifiedRequests: JustifiedRequestsRepository,
  ) {}

  /** Stores the reason that a user gives for a prompt afterwards (PAM-214). Nothing is decided anew: people see it. */
  justify(caller: DeviceCaller, id: string, given: JustifyRequestDto): Promise<JustifiedRequestResponse> {
    requireReporting(caller);
    const reason = given.reason.trim();
    const ticket = ticketOf(given.ticket);
    return this.work.run(caller, async (tx) => {
      const satisfies = ticket !== null && ticketGap(await justificationOfRequest(tx, id), { ticket }) === null;
      const justified = await this.justifiedRequests.justify(tx, caller, id, { reason, ticket, satisfies });
      if (!justified) throw await this.whyNot(tx, caller, id);
      note(tx, justified, { reason, ticket });
      return { id, status: justified.status };
    });
  }

  private async whyNot(tx: Tx, caller: DeviceCaller, id: string): Promise<ProblemError> {
    const found = await this.reportedRequests.find(tx, caller.scope, caller.deviceId, id);
    if (!found) return new ProblemError('elevation_request_not_found', 'This device has reported no such request.');
    const { status: currentStatus } = found;
    return new ProblemError('not_pending', `This request is no longer pending; it is ${currentStatus}.`, {
      currentStatus,
    });
  }
}
