import { newId } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { publishSite } from '../scope/publish-state.ts';
import { returned } from '../scope/assignments.ts';
import type { SiteEntity } from './site.entity.ts';

const MAKE = `INSERT INTO sites (id, partner_id, org_id, name, is_default) VALUES ($1, $2, $3, 'Default site', true)
  ON CONFLICT (org_id) WHERE is_default DO NOTHING RETURNING id, org_id, partner_id, name, version`;
const FIND = 'SELECT id FROM sites WHERE org_id = $1 AND is_default';

/** Returns the site for devices that name none, and creates it on first use. */
export async function defaultSiteOf(
  tx: Tx,
  { partnerId, orgId }: { partnerId: string; orgId: string },
): Promise<string> {
  const known = await tx.one<{ id: string }>(FIND, [orgId]);
  if (known) return known.id;
  const made = await tx.one<Pick<SiteEntity, 'id' | 'orgId' | 'partnerId' | 'name' | 'version'>>(MAKE, [
    newId(),
    partnerId,
    orgId,
  ]);
  if (made) publishSite(tx, made);
  return made?.id ?? returned(await tx.one<{ id: string }>(FIND, [orgId])).id;
}
