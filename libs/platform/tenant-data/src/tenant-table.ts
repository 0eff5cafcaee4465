import type { Permission } from '@gatehouse/contracts-core';
import type { Reader, Tx } from '@gatehouse/database';
import type { TenantDataHolder } from './tenant-data.events.ts';

/**
 * A column whose value changes when its row moves, or may be edited at the survivor; the ledger keeps the old value.
 */
export interface Override {
  readonly type: 'boolean' | 'integer' | 'text' | 'uuid';
  /** SQL over the row `t`; `$2` is the survivor. */
  readonly value: string;
}

export interface MergedOrganizations {
  readonly sourceId: string;
  readonly targetId: string;
}

export interface MergeQuestion extends MergedOrganizations {
  /**
   * What the user who wants the merge may do. Absent while rows move: tenancy checked the user before it froze the
   * organisation.
   */
  readonly permissions?: readonly Permission[];
}

interface Common {
  readonly table: string;
  /** The columns of the primary key, all uuid. Default: id. */
  readonly key?: readonly string[];
  /** The column that holds the organisation. Default: org_id. */
  readonly orgColumn?: string;
}

/**
 * How a merge or purge of an organisation treats a tenant table:
 * - `move`: a merge moves the rows to the survivor; a purge deletes them.
 * - `drop`: rows are deleted at the end of a merge, and by a purge.
 * - `follow`: a foreign key or an event moves the rows along; a purge deletes them.
 * - `keep`: rows stay unchanged in both (history, and the tenants themselves).
 */
export type TenantTable =
  | (Common & {
      readonly policy: 'move';
      /** SQL over the row `t`; `$2` is the survivor. Selects rows that cannot move there and are dropped. */
      readonly conflict?: string;
      readonly overrides?: Readonly<Record<string, Override>>;
      /** Publishes events about rows that changed their organisation, in the same transaction. */
      readonly onMoved?: (tx: Tx, ids: readonly string[]) => Promise<void>;
      /** Detaches rows from references that they must not keep when they move back. */
      readonly beforeBack?: (tx: Tx, ids: readonly string[], run: MergedOrganizations) => Promise<void>;
    })
  | (Common & { readonly policy: 'drop' | 'follow' | 'keep' });

/** Facts about a merge, besides the row counts, in sentences for the user. */
export interface Remarks {
  readonly blockers: readonly string[];
  readonly warnings: readonly string[];
}

/** A service's tables in the order in which their rows move; a purge deletes in reverse order. */
export interface TenantRegistry {
  readonly service: TenantDataHolder;
  readonly tables: readonly TenantTable[];
  /** Called for the preview and again before each batch moves; a blocker found then ends the run. */
  readonly remarks?: (reader: Reader, question: MergeQuestion) => Promise<Remarks>;
  /** Prepares the survivor before the first row moves; runs again when a step is resumed. */
  readonly beforeMove?: (tx: Tx, run: MergedOrganizations) => Promise<void>;
  /** Undoes `beforeMove` after every row has moved back; runs again when a step is resumed. */
  readonly afterBack?: (tx: Tx, run: MergedOrganizations) => Promise<void>;
}
