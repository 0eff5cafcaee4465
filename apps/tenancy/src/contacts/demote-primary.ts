import type { Tx } from '@gatehouse/database';

const DEMOTE =
  'UPDATE contacts SET is_primary = false WHERE org_id = $1 AND site_id IS NOT DISTINCT FROM $2::uuid AND is_primary AND id IS DISTINCT FROM $3::uuid';

/**
 * Demotes the primary contact of a scope (the organisation itself, or one site), so that another can take its place
 * (TEN-22).
 */
export const demotePrimary = (
  tx: Tx,
  { orgId, siteId, except = null }: { orgId: string; siteId: string | null; except?: string | null },
): Promise<object[]> => tx.query(DEMOTE, [orgId, siteId, except]);
