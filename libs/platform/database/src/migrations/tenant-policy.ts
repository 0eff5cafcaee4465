interface TenantTable {
  readonly table: string;
  /** Null when rows belong to the partner as a whole, never to one organisation. */
  readonly orgColumn: string | null;
  /** Rows whose organisation is null belong to the whole partner, and every caller of that partner sees them. */
  readonly sharedByPartner?: boolean;
  /** The column that holds the partner; the table `partners` itself uses `id`. */
  readonly partnerColumn?: string;
  /**
   * For tables from which lists read many rows of many organisations: the organisations in reach are looked up in a
   * hash table instead of one by one.
   */
  readonly large?: boolean;
}

/** SQL for whether a row is visible to the system, or to a caller of its partner within their organisations. */
export function reachOf({
  orgColumn,
  sharedByPartner = false,
  partnerColumn = 'partner_id',
  large = false,
}: TenantTable): string {
  // The inner sub-select prevents the planner from reading the setting as well to estimate the number of ids.
  const inList = large ? 'IN (SELECT unnest((SELECT app_org_ids())))' : '= ANY ((SELECT app_org_ids())::uuid[])';
  const inOrgs = orgColumn ? `(SELECT app_all_orgs()) OR ${orgColumn} ${inList}` : 'true';
  const withinPartner = sharedByPartner ? `${inOrgs} OR ${orgColumn} IS NULL` : inOrgs;
  return `(SELECT app_is_system()) OR (${partnerColumn} = (SELECT app_partner_id()) AND (${withinPartner}))`;
}

/**
 * SQL that enables forced row security on a table: a row is visible to the system, and to callers of its partner within
 * their organisations. The sub-selects make PostgreSQL read each setting once per statement instead of once per row.
 */
export function tenantPolicy(table: TenantTable): string {
  const inReach = reachOf(table);
  return `
    ALTER TABLE ${table.table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE ${table.table} FORCE ROW LEVEL SECURITY;
    CREATE POLICY ${table.table}_tenant ON ${table.table} USING (${inReach}) WITH CHECK (${inReach});`;
}
