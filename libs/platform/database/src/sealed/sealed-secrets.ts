import { asService, type Caller, invalid } from '@gatehouse/contracts-core';
import type { KeyRing } from '@gatehouse/crypto';
import { idempotencyColumn } from '../idempotency.repository.ts';
import { blocksSql, countSql, nameOfColumn, type SealedColumn, storeSql, takeSql } from './sealed-column.repository.ts';
import type { Tx } from '../tx.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

/** Few enough for a transaction of some milliseconds, because other transactions may wait for its locks. */
const BLOCKS_AT_ONCE = 32;

/** The number of values in a column that one key has sealed. */
export interface SealedCount {
  readonly column: string;
  readonly keyId: string;
  readonly count: number;
  /** Whether the key is in the service's key ring. */
  readonly known: boolean;
}

export interface SealedReport {
  readonly primary: string;
  readonly columns: readonly string[];
  readonly counts: readonly SealedCount[];
}

export interface ResealedSlice {
  readonly resealed: number;
  /** Values that stay unchanged, because their key is missing or they were altered. */
  readonly unreadable: number;
  /** The first block of the next slice, or null at the end of the table. */
  readonly next: number | null;
}

interface SealedRow {
  readonly place: string;
  readonly sealed: string;
  readonly boundTo: readonly string[];
}

/**
 * Handles every sealed value of a service's database: counts values by key, and seals them again under the primary key
 * while the service runs.
 */
export class SealedSecrets {
  private readonly columns: readonly SealedColumn[];

  constructor(
    private readonly source: string,
    private readonly work: UnitOfWork,
    private readonly keys: KeyRing,
    own: readonly SealedColumn[],
  ) {
    this.columns = [...own, idempotencyColumn];
  }

  async report(): Promise<SealedReport> {
    const counts: SealedCount[] = [];
    for (const column of this.columns) {
      const rows = await this.work.backgroundRead(asService(this.source), (reader) =>
        reader.query<{ keyId: string; count: number }>(countSql(column)),
      );
      counts.push(
        ...rows.map(({ keyId, count }) => ({
          column: nameOfColumn(column),
          keyId,
          count,
          known: this.keys.has(keyId),
        })),
      );
    }
    return { primary: this.keys.primaryId, columns: this.columns.map(nameOfColumn), counts };
  }

  /**
   * Seals the values in one slice of a column again. Slices may be repeated and may run in parallel.
   * @param fromBlock 0, or the `next` of the previous slice
   * @throws ProblemError validation_failed for a column that is not registered
   */
  async reseal(caller: Caller, name: string, fromBlock: number): Promise<ResealedSlice> {
    const column = this.columns.find((candidate) => nameOfColumn(candidate) === name);
    if (!column) throw invalid('column', `must be one of ${this.columns.map(nameOfColumn).join(', ')}`);
    return this.work.run(caller, async (tx) => {
      const { blocks = 0 } = (await tx.one<{ blocks: number }>(blocksSql(column))) ?? {};
      const end = fromBlock + BLOCKS_AT_ONCE;
      const rows = await tx.query<SealedRow>(takeSql(column), [`(${fromBlock},0)`, `(${end},0)`, this.keys.primaryId]);
      const resealed = await this.store(tx, column, rows);
      return { resealed, unreadable: rows.length - resealed, next: end < blocks ? end : null };
    });
  }

  private async store(tx: Tx, column: SealedColumn, rows: readonly SealedRow[]): Promise<number> {
    const fresh = rows.flatMap(({ place, sealed, boundTo }) => {
      try {
        return [{ place, sealed: this.keys.reseal(sealed, column.context(...boundTo)) }];
      } catch {
        return [];
      }
    });
    if (fresh.length === 0) return 0;
    await tx.query(storeSql(column), [fresh.map(({ place }) => place), fresh.map(({ sealed }) => sealed)]);
    tx.audit({
      action: 'sealed_secret.reseal',
      resource: { type: 'sealed_secret', id: null, name: nameOfColumn(column) },
      partnerId: null,
      orgId: null,
      details: { count: fresh.length, keyId: this.keys.primaryId },
    });
    return fresh.length;
  }
}
