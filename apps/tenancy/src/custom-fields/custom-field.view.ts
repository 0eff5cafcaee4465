import type { CustomFieldResponse } from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';
import type { CustomFieldRow } from './custom-fields.repository.ts';

export const customFieldView = ({ partnerId: _, ...field }: CustomFieldRow): CustomFieldResponse => field;

export function auditFieldChange(
  tx: Tx,
  action: 'custom_field.create' | 'custom_field.update' | 'custom_field.delete',
  { id, name, partnerId, orgId }: CustomFieldRow,
  details: Readonly<Record<string, unknown>> = {},
): void {
  tx.audit({ action, partnerId, orgId, resource: { type: 'custom_field', id, name }, details });
}
