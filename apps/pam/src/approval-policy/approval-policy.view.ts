import type { ApprovalPolicyRecord } from '@gatehouse/contracts-pam';
import type { ApprovalPolicyRow } from './approval-policy.repository.ts';

/** What holds without a policy. */
const NO_POLICY = {
  levels: [],
  defaultApprovals: 1,
  defaultPendingMinutes: null,
  ruleEditors: false,
  aiRequester: false,
  version: 0,
} satisfies Omit<ApprovalPolicyRow, 'orgId'>;

/** @param row null without a policy @param ttlMinutes how long requests wait where the policy does not say */
export function approvalPolicyView(
  orgId: string,
  row: ApprovalPolicyRow | null,
  ttlMinutes: number,
): ApprovalPolicyRecord {
  const { levels, defaultApprovals, defaultPendingMinutes, ruleEditors, aiRequester, version } = row ?? NO_POLICY;
  return {
    orgId,
    levels,
    default: { approvals: defaultApprovals, pendingMinutes: defaultPendingMinutes ?? ttlMinutes },
    separation: { ruleEditors, aiRequester },
    version,
  };
}
