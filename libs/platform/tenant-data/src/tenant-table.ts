import type { Reader, Tx } from '@gatehouse/database';
import type { TenantDataHolder } from './tenant-data.events.ts';

/** A column that cannot move as it is, or may be changed at the survivor; the ledger keeps what it was. */
export interface Override {
  readonly type: 'boolean' | 'integer' | 'text' | 'uuid';
  /** SQL over the row `t`; `$2` is the survivor. */
  readonly value: string;
}

export interface MergedOrganizations {
  readonly sourceId: string;
  readonly targetId: string;
}

interface Common {
  readonly table: string;
  /** Columns of the primary key, all uuid. Default: id. */
  readonly key?: readonly string[];
  /** Column of the organisation. Default: org_id. */
  readonly orgColumn?: string;
}

/**
 * What happens to a tenant table when its organisation is merged into another or purged:
 * - `move`: rows go to the survivor; a purge deletes them.
 * - `drop`: rows are deleted at the end of a merge, and by a purge.
 * - `follow`: a foreign key or an event carries the rows along; a purge deletes them.
 * - `keep`: rows stay as they are in both (history, and the tenants themselves).
 */
export type TenantTable =
  | (Common & {
      readonly policy: 'move';
      /** SQL over the row `t`; `$2` is the survivor: rows that cannot go there and are dropped. */
      readonly conflict?: string;
      readonly overrides?: Readonly<Record<string, Override>>;
      /** Tells others about rows that changed their organisation, in the same transaction. */
      readonly onMoved?: (tx: Tx, ids: readonly string[]) => Promise<void>;
      /** Parts rows from what they cannot take back with them. */
      readonly beforeBack?: (tx: Tx, ids: readonly string[], run: MergedOrganizations) => Promise<void>;
    })
  | (Common & { readonly policy: 'drop' | 'follow' | 'keep' });

/** What people should know of a merge beside its rows, in sentences for them. */
export interface Remarks {
  readonly blockers: readonly string[];
  readonly warnings: readonly string[];
}

/** A service's tables in the order in which their rows move; a purge deletes in the reverse order. */
export interface TenantRegistry {
  readonly service: TenantDataHolder;
  readonly tables: readonly TenantTable[];
  /** Asked for the preview, and again before each batch moves: what stands against it by then ends the run. */
  readonly remarks?: (reader: Reader, run: MergedOrganizations) => Promise<Remarks>;
  /** Makes room at the survivor before the first row moves; runs again when a step is resumed. */
  readonly beforeMove?: (tx: Tx, run: MergedOrganizations) => Promise<void>;
  /** Takes that room away again when every row is back; runs again when a step is resumed. */
  readonly afterBack?: (tx: Tx, run: MergedOrganizations) => Promise<void>;
}

const TENANT_TABLES = `
  SELECT DISTINCT c.table_name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
   WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND NOT (SELECT k.relispartition FROM pg_class k WHERE k.oid = format('%I', c.table_name)::regclass) AND c.column_name IN ('org_id', 'partner_id') ORDER BY 1`;

/** Tables with a tenant in them that a registry does not mention: a test of every service expects none. */
export async function undeclaredTables(
  registry: TenantRegistry,
  sql: (text: string) => Promise<{ table_name: string }[]>,
): Promise<string[]> {
  const declared = new Set(registry.tables.map(({ table }) => table));
  return (await sql(TENANT_TABLES)).map((row) => row.table_name).filter((table) => !declared.has(table));
}
