import type { TenantRegistry } from './tenant-rows.repository.ts';

const TENANT_TABLES = `
  SELECT DISTINCT c.table_name FROM information_schema.columns c JOIN information_schema.tables t
    USING (table_schema, table_name)
   WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
     AND NOT (SELECT k.relispartition FROM pg_class k WHERE k.oid = format('%I', c.table_name)::regclass)
     AND c.column_name IN ('org_id', 'partner_id') ORDER BY 1`;

/** Tables with a tenant column that a registry does not declare; a test of every service expects none. */
export async function undeclaredTables(
  registry: TenantRegistry,
  sql: (text: string) => Promise<{ table_name: string }[]>,
): Promise<string[]> {
  const declared = new Set(registry.tables.map(({ table }) => table));
  return (await sql(TENANT_TABLES)).map((row) => row.table_name).filter((table) => !declared.has(table));
}
