import type { Tx } from '@gatehouse/database';
import type { EnrollmentKeyRow } from './enrollment-keys.repository.ts';

export function auditKeyChange(
  tx: Tx,
  action: 'enrollment_key.create' | 'enrollment_key.rotate' | 'enrollment_key.delete',
  { id, name, partnerId, orgId, siteId }: EnrollmentKeyRow,
  details?: Readonly<Record<string, unknown>>,
): void {
  tx.audit({ action, partnerId, orgId, siteId, resource: { type: 'enrollment_key', id, name }, details });
}
