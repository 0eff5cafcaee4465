import type { Tx } from '@gatehouse/database';

export const MONTHS_AHEAD = 3;

const MAKE = 'SELECT elevation_partitions_ahead($1) AS count';
const DROP = 'SELECT elevation_partitions_drop($1) AS count';
const FORGET_RECEIPTS = `DELETE FROM report_receipts WHERE received_at < now() - interval '1 hour'`;

/** Maintains the tables of requests and reports. Replicas may run it concurrently. */
export class UpkeepRepository {
  async makeMonthsAhead(tx: Tx): Promise<void> {
    await tx.query(MAKE, [MONTHS_AHEAD]);
  }

  /** @returns how many months were dropped */
  async dropMonths(tx: Tx, monthsKept: number): Promise<number> {
    const row = await tx.one<{ count: number }>(DROP, [monthsKept]);
    return row?.count ?? 0;
  }

  async forgetReceipts(tx: Tx): Promise<void> {
    await tx.query(FORGET_RECEIPTS);
  }
}
