import { changesOf } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import type { Organization } from './organizations.repository.ts';

/** A record that each organisation has once: until it is set, defaults hold under version 0. */
interface Settings {
  readonly orgId: string;
  readonly version: number;
}
type SettingsType = 'pam.config' | 'pam.approval_policy' | 'pam.justification_policy' | 'pam.escalation_policy';

/** The codes of the problems that any change of settings may have. */
export const SETTINGS_PROBLEMS = [
  'org_required',
  'organization_not_found',
  'organization_frozen',
  'site_access_denied',
  'version_conflict',
] as const;

/** Writes the audit entry about settings that were replaced. */
export function auditSettings(
  tx: Tx,
  type: SettingsType,
  { partnerId }: Organization,
  { before, after }: { readonly before: Settings; readonly after: Settings },
): void {
  const { orgId, version: _, ...values } = after;
  const details = { ...after, changes: changesOf(before, after, Object.keys(values)) };
  tx.audit({ action: `${type}.update`, resource: { type, id: orgId }, partnerId, orgId, details });
}
