import type { RoleRecord } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';

export function auditRole(
  tx: Tx,
  action: 'role.create' | 'role.update' | 'role.delete',
  { id, name, partnerId, orgId }: Omit<RoleRecord, 'system' | 'version'>,
  details: Readonly<Record<string, unknown>> = {},
): void {
  tx.audit({ action, resource: { type: 'role', id, name }, partnerId, orgId, details });
}
