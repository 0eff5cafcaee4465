import type { ScriptResponse } from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';
import type { ScriptRow } from './scripts.repository.ts';

export const scriptView = ({ partnerId: _, ...script }: ScriptRow): ScriptResponse => script;

export function auditScript(
  tx: Tx,
  action: 'script.create' | 'script.update' | 'script.delete',
  { id, name, partnerId, orgId }: ScriptRow,
  details: Record<string, unknown> = {},
): void {
  tx.audit({ action, partnerId, orgId, resource: { type: 'script', id, name }, details });
}
