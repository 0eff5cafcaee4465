import type { PlainAction } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import type { ConfigurationPolicyRow } from './configuration-policies.repository.ts';

export function auditPolicyChange(
  tx: Tx,
  action: PlainAction,
  { id, name, partnerId, orgId }: Pick<ConfigurationPolicyRow, 'id' | 'name' | 'partnerId' | 'orgId'>,
  details?: Readonly<Record<string, unknown>>,
): void {
  tx.audit({ action, partnerId, orgId, resource: { type: 'configuration_policy', id, name }, details });
}
