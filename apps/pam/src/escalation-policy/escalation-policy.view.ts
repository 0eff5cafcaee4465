import type { EscalationPolicyRecord } from '@gatehouse/contracts-pam';
import type { EscalationPolicyRow } from './escalation-policy.repository.ts';

/** What holds without a policy. */
const NO_POLICY: EscalationPolicyRow = {
  steps: [],
  flowTypes: null,
  tellDevice: false,
  tellRequester: true,
  version: 0,
};

/** @param row null without a policy */
export function escalationPolicyView(orgId: string, row: EscalationPolicyRow | null): EscalationPolicyRecord {
  const { steps, flowTypes, tellDevice, tellRequester, version } = row ?? NO_POLICY;
  return { orgId, steps, flowTypes, tellDevice, tellRequester, version };
}
