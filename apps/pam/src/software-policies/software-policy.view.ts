import type { AuditSubject } from '@gatehouse/contracts-core';
import type { SoftwarePolicyRecord } from '@gatehouse/contracts-pam';
import type { SoftwarePolicyRow } from './software-policies.repository.ts';

export function softwarePolicyView({
  partnerId: _,
  targetLevel: level,
  targetId: id,
  ...row
}: SoftwarePolicyRow): SoftwarePolicyRecord {
  return {
    ...row,
    target: { level, id },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export const auditSubject = ({ id, name, orgId, partnerId }: SoftwarePolicyRow): AuditSubject => ({
  resource: { type: 'pam.software_policy', id, name },
  orgId,
  partnerId,
});
