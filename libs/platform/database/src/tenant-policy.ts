interface TenantTable {
  readonly table: string;
  /** Null when rows belong to the partner as a whole and never to one organisation. */
  readonly orgColumn: string | null;
  /** Rows whose organisation is null belong to the whole partner and are seen by every caller of that partner. */
  readonly sharedByPartner?: boolean;
  /** The column that holds the partner; `partners` itself uses `id`. */
  readonly partnerColumn?: string;
}

/**
 * SQL that puts a table under forced row security: a row is in reach of the system, or of its partner's callers within
 * their organisations. The sub-selects make PostgreSQL read each setting once per statement instead of once per row.
 */
export function tenantPolicy({ table, orgColumn, sharedByPartner = false, partnerColumn = 'partner_id' }: TenantTable): string {
  const inOrgs = orgColumn ? `(SELECT app_all_orgs()) OR ${orgColumn} = ANY ((SELECT app_org_ids())::uuid[])` : 'true';
  const withinPartner = sharedByPartner ? `${inOrgs} OR ${orgColumn} IS NULL` : inOrgs;
  const inReach = `(SELECT app_is_system()) OR (${partnerColumn} = (SELECT app_partner_id()) AND (${withinPartner}))`;
  return `
    ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
    CREATE POLICY ${table}_tenant ON ${table} USING (${inReach}) WITH CHECK (${inReach});`;
}
