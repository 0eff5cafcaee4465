import type { Reader, Tx } from '@gatehouse/database';
import {
  countRows,
  deleteBatch,
  type MergedOrganizations,
  type MergeQuestion,
  moveBatch,
  notedBatch,
  putBackBatch,
  type Remarks,
  type TenantRegistry,
} from './tenant-rows.repository.ts';
import { TenantMoveEntity } from './tenant-tasks.repository.ts';
import type { TableCount, TenantDataRequest } from './tenant-data.events.ts';

interface Moved {
  readonly id: string;
}
interface Noted extends Moved {
  readonly entry: number;
}
const idsOf = (rows: readonly Moved[]): string[] => rows.map(({ id }) => id);

/** Counts for each table of the service the rows that a merge would move or drop. */
export async function countTables(
  reader: Reader,
  { service, tables }: TenantRegistry,
  { sourceId, targetId }: MergedOrganizations,
): Promise<TableCount[]> {
  const counts: TableCount[] = [];
  for (const table of tables) {
    if (table.policy === 'keep' || table.policy === 'follow') continue;
    const counted = await reader.one<{ move: number; drop: number }>(countRows(table), [sourceId, targetId]);
    counts.push({
      service,
      table: table.table,
      policy: table.policy,
      move: counted?.move ?? 0,
      drop: counted?.drop ?? 0,
    });
  }
  return counts;
}

export const remarksOn = async (
  reader: Reader,
  { remarks }: TenantRegistry,
  question: MergeQuestion,
): Promise<Remarks> => (await remarks?.(reader, question)) ?? { blockers: [], warnings: [] };

/** @returns the number of rows in the batch; 0 when the step is finished */
export type PerformBatch = (tx: Tx, registry: TenantRegistry, run: TenantDataRequest) => Promise<number>;

const moveSome: PerformBatch = async (tx, registry, { runId, sourceId, targetId }) => {
  if (targetId === null) throw new Error('a merge has a survivor');
  await registry.beforeMove?.(tx, { sourceId, targetId });
  for (const table of registry.tables) {
    if (table.policy !== 'move') continue;
    const moved = await tx.query<Moved>(moveBatch(table), [sourceId, targetId, runId]);
    if (moved.length === 0) continue;
    await table.onMoved?.(tx, idsOf(moved), runId);
    return moved.length;
  }
  return 0;
};

/**
 * Checks for blockers again before each batch, because they may have appeared since the merge began. Only this step can
 * still be undone.
 */
const moveUnlessBlocked: PerformBatch = async (tx, registry, run) => {
  if (run.targetId === null) throw new Error('a merge has a survivor');
  const { blockers } = await remarksOn(tx, registry, { sourceId: run.sourceId, targetId: run.targetId });
  if (blockers[0] !== undefined) throw new Error(blockers[0]);
  return moveSome(tx, registry, run);
};

const deleteSome = async (
  tx: Tx,
  registry: TenantRegistry,
  sourceId: string,
  kinds: readonly string[],
): Promise<number> => {
  for (const table of registry.tables.toReversed()) {
    if (!kinds.includes(table.policy)) continue;
    const deleted = await tx.query<Moved>(deleteBatch(table), [sourceId]);
    if (deleted.length > 0) return deleted.length;
  }
  return 0;
};

/** Moves rows that were added after the move, drops rows that could not move, and then deletes the ledger. */
const finishSome: PerformBatch = async (tx, registry, run) => {
  const moved = await moveSome(tx, registry, run);
  if (moved > 0) return moved;
  const dropped = await deleteSome(tx, registry, run.sourceId, ['move', 'drop', 'follow']);
  if (dropped === 0) await tx.manager.delete(TenantMoveEntity, { runId: run.runId });
  return dropped;
};

const putBackSome: PerformBatch = async (tx, registry, { runId, sourceId, targetId }) => {
  if (targetId === null) throw new Error('a merge has a survivor');
  for (const table of registry.tables.toReversed()) {
    if (table.policy !== 'move') continue;
    const noted = await tx.query<Noted>(notedBatch(table), [runId]);
    if (noted.length === 0) continue;
    await table.beforeBack?.(
      tx,
      noted.map(({ id }) => id),
      { sourceId, targetId },
    );
    const back = await tx.query<Moved>(putBackBatch(table), [sourceId, noted.map(({ entry }) => entry)]);
    await table.onMoved?.(tx, idsOf(back), runId);
    return noted.length;
  }
  await registry.afterBack?.(tx, { sourceId, targetId });
  return 0;
};

const purgeSome: PerformBatch = (tx, registry, { sourceId }) =>
  deleteSome(tx, registry, sourceId, ['move', 'drop', 'follow']);

/**
 * The function for each step, which runs in batches of one transaction each. The rows themselves show what is left to
 * do, so an interrupted step resumes where it stopped.
 */
export const PERFORM: Readonly<Record<TenantDataRequest['step'], PerformBatch>> = {
  move: moveUnlessBlocked,
  finish: finishSome,
  rollback: putBackSome,
  purge: purgeSome,
};
