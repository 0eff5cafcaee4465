import type { ApprovalRecord } from '@gatehouse/contracts-pam';
import { demandOf, rowView } from '../elevation-requests/elevation-request.view.ts';
import type { ApprovalRow } from './approvals.repository.ts';

/** An approval of one's own: who was asked reads all of the request (PAM-305). */
export function approvalView({
  approvalId: id,
  approvalStatus: status,
  createdAt,
  approvalExpiresAt,
  approvalDecidedAt,
  lapsed: _,
  promptCount,
  ...request
}: ApprovalRow): ApprovalRecord {
  return {
    id,
    status,
    promptCount,
    orgId: request.orgId,
    elevationRequestId: request.id,
    createdAt: createdAt.toISOString(),
    expiresAt: approvalExpiresAt.toISOString(),
    decidedAt: approvalDecidedAt?.toISOString() ?? null,
    ...demandOf(request),
    request: rowView(request, true),
  };
}
