import type { JustificationPolicyRecord } from '@gatehouse/contracts-pam';
import { NO_JUSTIFICATION } from '@gatehouse/pam-domain';
import type { JustificationPolicyRow } from './justification-policy.repository.ts';

/** What holds without a policy. */
const NO_POLICY: JustificationPolicyRow = { policy: NO_JUSTIFICATION, version: 0 };

/** @param row null without a policy */
export function justificationPolicyView(orgId: string, row: JustificationPolicyRow | null): JustificationPolicyRecord {
  const {
    policy: { reason, ticket, prompts },
    version,
  } = row ?? NO_POLICY;
  return { orgId, reason, ticket: { ...ticket, masks: [...ticket.masks] }, prompts, version };
}
