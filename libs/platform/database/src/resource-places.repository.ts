import type { Tx } from './tx.ts';

/** The place of a resource in the tenants; without an organisation it belongs to the partner as a whole. */
export interface ResourcePlace {
  readonly partnerId: string | null;
  readonly orgId: string | null;
  readonly siteId: string | null;
}

/** Where a kind of resource is stored, and the columns that hold its place; `org` is `org_id` unless given. */
export interface PlaceTable {
  readonly table: string;
  readonly key?: string;
  readonly org?: string;
  readonly site?: string;
}

/** The stored resources of a service by the type that the audit log has for them. */
export type PlaceTables = Readonly<Record<string, PlaceTable>>;

/** The place of the resource in the tenants, if row security shows it to the transaction's caller. */
export function placeOfResource(
  tx: Tx,
  { table, key = 'id', org = 'org_id', site }: PlaceTable,
  id: string,
): Promise<ResourcePlace | null> {
  const sql = `SELECT partner_id, ${org} AS org_id, ${site ?? 'NULL::uuid'} AS site_id FROM ${table} WHERE ${key} = $1::uuid`;
  return tx.one<ResourcePlace>(sql, [id]);
}
