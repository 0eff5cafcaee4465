import type { ApprovalPolicyRecord } from '@gatehouse/contracts-pam';
import type { ApprovalPolicyRow } from './approval-policy.repository.ts';

/** @param ttlMinutes how long requests wait where the policy does not say */
export const approvalPolicyView = (row: ApprovalPolicyRow, ttlMinutes: number): ApprovalPolicyRecord => ({
  orgId: row.orgId,
  levels: row.levels,
  default: { approvals: row.defaultApprovals, pendingMinutes: row.defaultPendingMinutes ?? ttlMinutes },
  separation: { ruleEditors: row.ruleEditors, aiRequester: row.aiRequester },
  version: row.version,
});
