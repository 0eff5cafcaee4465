interface TenantTable {
  readonly table: string;
  /** Null when rows belong to the partner as a whole and never to one organisation. */
  readonly orgColumn: string | null;
  /** Rows whose organisation is null belong to the whole partner and are seen by every caller of that partner. */
  readonly sharedByPartner?: boolean;
  /** The column that holds the partner; `partners` itself uses `id`. */
  readonly partnerColumn?: string;
  /**
   * Lists read many rows of many organisations: those in reach are looked up in a hash table, not one after the other.
   */
  readonly large?: boolean;
}

function reachOf({
  orgColumn,
  sharedByPartner = false,
  partnerColumn = 'partner_id',
  large = false,
}: TenantTable): string {
  // The inner sub-select keeps the planner from reading the setting as well, to guess how many there are.
  const inList = large ? 'IN (SELECT unnest((SELECT app_org_ids())))' : '= ANY ((SELECT app_org_ids())::uuid[])';
  const inOrgs = orgColumn ? `(SELECT app_all_orgs()) OR ${orgColumn} ${inList}` : 'true';
  const withinPartner = sharedByPartner ? `${inOrgs} OR ${orgColumn} IS NULL` : inOrgs;
  return `(SELECT app_is_system()) OR (${partnerColumn} = (SELECT app_partner_id()) AND (${withinPartner}))`;
}

/**
 * SQL that puts a table under forced row security: a row is in reach of the system, or of its partner's callers within
 * their organisations. The sub-selects make PostgreSQL read each setting once per statement instead of once per row.
 */
export function tenantPolicy(table: TenantTable): string {
  const inReach = reachOf(table);
  return `
    ALTER TABLE ${table.table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE ${table.table} FORCE ROW LEVEL SECURITY;
    CREATE POLICY ${table.table}_tenant ON ${table.table} USING (${inReach}) WITH CHECK (${inReach});`;
}

/** SQL that gives the policy of {@link tenantPolicy} another shape. */
export function changedTenantPolicy(table: TenantTable): string {
  const inReach = reachOf(table);
  return `ALTER POLICY ${table.table}_tenant ON ${table.table} USING (${inReach}) WITH CHECK (${inReach});`;
}
