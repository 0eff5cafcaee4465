import { ProblemError, seesSite, type TenantPlace, type TenantScope, type UserCaller } from '@gatehouse/contracts-core';
import { isKnownToBe, type JustificationGap, type JustificationPolicy } from '@gatehouse/pam-domain';
import type { RequestState } from './request-transitions.repository.ts';

export const requestNotFound = (): ProblemError =>
  new ProblemError('elevation_request_not_found', 'There is no such elevation request.');

export function requireReach<T extends TenantPlace>(scope: TenantScope, found: T | null): T {
  if (!found) throw requestNotFound();
  if (!seesSite(scope, found.siteId))
    throw new ProblemError('site_access_denied', 'You have no access to the site of this device.').at(found);
  return found;
}

export type Approver = Pick<UserCaller, 'userId' | 'email'>;

/** Why a person must not approve the request at all (PAM-09, PAM-183, PAM-303). */
export function approverProblem(approver: Approver, known: RequestState): ProblemError | null {
  const { userId } = approver;
  const { requester, requesterBarred, barredEditors, ownAccount } = known;
  if (requester === userId)
    return requesterBarred
      ? separated('requester', 'Your own agent asks for this, so others have to approve it.').at(known)
      : new ProblemError('self_approval_denied', 'You cannot approve your own request.').at(known);
  if (isKnownToBe(approver, ownAccount))
    return new ProblemError('self_approval_denied', 'You cannot approve a prompt from your own account.').at(known);
  return barredEditors?.includes(userId)
    ? separated('rule_editor', 'You edited the rule that matched this request; others must approve it.').at(known)
    : null;
}

const separated = (reason: 'requester' | 'rule_editor', detail: string): ProblemError =>
  new ProblemError('separation_of_duties', detail, { reason });

export const alreadyVoted = (): ProblemError =>
  new ProblemError('already_voted', 'You have already approved this request; others must approve it too.');

/** The problem that a decision of the caller would have now; null when it may be made. */
export function decidabilityProblem(caller: UserCaller, known: RequestState, approving: boolean): ProblemError | null {
  const { statusNow: status, timedOut } = known;
  const barred = approving ? approverProblem(caller, known) : null;
  if (barred) return barred;
  if (timedOut && (status === 'pending' || status === 'expired'))
    return new ProblemError(
      'tool_execution_timed_out',
      'The tool execution that waited for this decision has timed out.',
    );
  if (approving && known.freeze === 'lockdown')
    return new ProblemError('pam_frozen', 'Privileged access is frozen here; no requests can be approved.');
  return statusProblem(known) ?? (approving ? voteProblem(caller, known) : null);
}

function statusProblem(known: RequestState): ProblemError | null {
  if (known.statusNow !== 'pending') return notPending(known);
  return known.frozen ? new ProblemError('organization_frozen', 'This organisation is frozen and read-only.') : null;
}

function voteProblem({ userId }: UserCaller, { voters, retired }: RequestState): ProblemError | null {
  if (voters.includes(userId)) return alreadyVoted();
  return retired ? new ProblemError('conflict', 'The device of this request is decommissioned or has moved.') : null;
}

/** The request's status is sent as `currentStatus`: `status` in a problem is the HTTP status (RFC 9457 3.1.3). */
const notPending = ({ statusNow: currentStatus }: RequestState): ProblemError =>
  new ProblemError('not_pending', `This request is no longer pending; it is ${currentStatus}.`, { currentStatus });

/** Derives the problem for a decision that matched no row (PAM-02; decisions, "respond"). */
export function decisionProblem(caller: UserCaller, found: RequestState | null, approving: boolean): ProblemError {
  const known = requireReach(caller.scope, found);
  return decidabilityProblem(caller, known, approving) ?? notPending(known);
}

export function revocationProblem(caller: UserCaller, found: RequestState | null): ProblemError {
  const { statusNow: status } = requireReach(caller.scope, found);
  return new ProblemError('not_active', `This request is not active: it is ${status}.`, { currentStatus: status });
}

const DETAILS: Readonly<Record<JustificationGap, string>> = {
  justification_required: 'The organisation asks for a reason; this one says too little.',
  ticket_required: 'The organisation asks for the number of a ticket.',
  ticket_invalid: 'The organisation has no tickets of this form.',
};

/** The problem of a request whose justification does not satisfy its organisation. */
export const justificationProblem = (gap: JustificationGap, { ticket: { hint } }: JustificationPolicy): ProblemError =>
  new ProblemError(gap, DETAILS[gap], { hint });
