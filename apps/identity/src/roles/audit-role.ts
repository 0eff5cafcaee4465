import { changesOf } from '@gatehouse/contracts-core';
import type { RoleRecord } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';

type Role = Omit<RoleRecord, 'system' | 'version'>;
const FIELDS = ['name', 'axis', 'permissions'];

export function auditRole(
  tx: Tx,
  action: 'role.create' | 'role.update' | 'role.delete',
  { before, after }: { readonly before: Role; readonly after: null } | { before: Role | null; after: Role },
): void {
  const { id, name, partnerId, orgId } = after ?? before;
  const changes = changesOf(before, after, FIELDS);
  const details = { changes, changedFields: Object.keys(changes) };
  tx.audit({ action, resource: { type: 'role', id, name }, partnerId, orgId, details });
}
