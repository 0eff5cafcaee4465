import type { Tx } from '@gatehouse/database';

export const MONTHS_AHEAD = 3;

const MAKE = 'SELECT elevation_partitions_ahead($1) AS count';
const DROP = 'SELECT elevation_partitions_drop($1) AS count';
const FORGET_RECEIPTS = `DELETE FROM report_receipts WHERE received_at < now() - interval '1 hour'`;

// The last instant before the limit stays: decisions after the limit were still made under its version.
const FORGET_INSTANTS = `
  DELETE FROM rulebook_instants i WHERE i.at < now() - make_interval(months => $1)
     AND EXISTS (SELECT FROM rulebook_instants n WHERE n.org_id = i.org_id AND n.version > i.version
       AND n.at < now() - make_interval(months => $1))`;
const FORGET_PARTS = 'DELETE FROM rulebook_parts WHERE valid_to < now() - make_interval(months => $1)';

// The id of a command holds its time.
const FORGET_COMMANDS = `DELETE FROM device_commands WHERE elevation_request_id IS NOT NULL
  AND id < uuid_from_instant(now() - make_interval(months => $1))`;

const COUNTED_BY_DAY = ['pam_rule_usage', 'pam_partner_rule_usage', 'pam_shadow_ignored'];
const forgetUseIn = (table: string): string =>
  `DELETE FROM ${table} WHERE day < (now() - make_interval(months => $1))::date`;

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

  /** Forgets former states of rulebooks that decided none of the requests that are kept. */
  async forgetRulebooks(tx: Tx, monthsKept: number): Promise<void> {
    await tx.query(FORGET_INSTANTS, [monthsKept]);
    await tx.query(FORGET_PARTS, [monthsKept]);
  }

  async forgetRuleUse(tx: Tx, monthsKept: number): Promise<void> {
    for (const table of COUNTED_BY_DAY) await tx.query(forgetUseIn(table), [monthsKept]);
  }

  /** Forgets the commands of requests that are no longer kept. */
  async forgetCommands(tx: Tx, monthsKept: number): Promise<void> {
    await tx.query(FORGET_COMMANDS, [monthsKept]);
  }

  async forgetReceipts(tx: Tx): Promise<void> {
    await tx.query(FORGET_RECEIPTS);
  }
}
