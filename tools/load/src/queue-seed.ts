import { connected, type RunningProduct } from '@gatehouse/stack';
import { adminUrl } from './statements.ts';
import type { Tenant } from './tenant.ts';

/** Months before the current one that history is spread over. */
const MONTHS = 3;
const CHUNK = 100_000;
const ACTIVE = 200;

/** Creates the partitions that a product has after some months of use. */
const PAST_MONTHS = `
  DO $$
  DECLARE
    first_day timestamptz;
    partition text;
  BEGIN
    FOR step IN 1..${MONTHS} LOOP
      first_day := date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - make_interval(months => step);
      partition := 'elevation_requests_' || to_char(first_day AT TIME ZONE 'UTC', 'YYYY_MM');
      EXECUTE format('CREATE TABLE %I (LIKE elevation_requests INCLUDING ALL)', partition);
      PERFORM elevation_partition_protect(partition);
      EXECUTE format('ALTER TABLE elevation_requests ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', partition, uuid_from_instant(first_day), uuid_from_instant(first_day + interval '1 month'));
    END LOOP;
  END $$`;

/** Ids like those of the product: the time first, then random bits. */
const ID = `overlay(overlay(gen_random_uuid()::text PLACING '7' FROM 15) PLACING substr(uuid_from_instant(at)::text, 1, 13) FROM 1)::uuid`;
const COLUMNS = `id, partner_id, org_id, device_id, device_hostname, flow_type, requested_at, subject_username, target_executable_path, target_executable_signer, command_line, rulebook_version,
  status, decision_source, pending_until, expires_at, ended_at`;
const OBSERVED = `${ID}, $1::uuid, $2::uuid, $3::uuid, 'HOST-' || lpad((n % 100000)::text, 6, '0'), 'uac_intercept', at, 'ACME\\ada', 'C:\\Program Files\\Tool\\tool-' || n % 500 || '.exe', 'Example Ltd', 'tool.exe --run ' || n, 1`;

/** @param parameters `$1` partner, `$2` organisation, `$3` device, then the statement's own */
const insert = (rest: string, rows: string): string =>
  `INSERT INTO elevation_requests (${COLUMNS}) SELECT ${OBSERVED}, ${rest} FROM (${rows}) AS r`;

const HISTORY = insert(
  `(ARRAY['denied', 'expired', 'revoked'])[1 + n % 3], 'human', NULL, at + interval '15 minutes', at + interval '15 minutes'`,
  `SELECT n, now() - interval '3 days' - (n::float8 / $5) * make_interval(days => $4) AS at
    FROM generate_series($6::int, $7::int) AS n`,
);
const PENDING = insert(
  `'pending', NULL, now() + interval '1 day', NULL::timestamptz, NULL::timestamptz`,
  `SELECT n, now() - n * interval '1 millisecond' AS at FROM generate_series(1, $4::int) AS n`,
);
const OPEN = insert(
  `'approved', 'human', NULL, now() + interval '1 day', NULL::timestamptz`,
  `SELECT n, now() - n * interval '1 second' AS at FROM generate_series(1, $4::int) AS n`,
);

/** Rows of the queue, written straight into the database. */
export class QueueRows {
  private history = 0;

  constructor(
    private readonly product: RunningProduct,
    private readonly tenant: Tenant,
  ) {}

  private get place(): string[] {
    return [this.tenant.partnerId, this.tenant.orgId, this.tenant.devices[0]?.id ?? ''];
  }

  async prepare(): Promise<void> {
    await connected(adminUrl(this.product, 'pam'), async (client) => {
      await client.query(PAST_MONTHS);
      await client.query(OPEN, [...this.place, ACTIVE]);
    });
  }

  /** PostgreSQL does so by itself within minutes, and plans by the old numbers of rows until then. */
  async analyze(): Promise<void> {
    await connected(adminUrl(this.product, 'pam'), (client) => client.query('ANALYZE elevation_requests'));
  }

  /** @returns ids of fresh requests that wait for a decision */
  async pending(count: number): Promise<string[]> {
    return connected(adminUrl(this.product, 'pam'), async (client) => {
      const { rows } = await client.query<{ id: string }>(`${PENDING} RETURNING id`, [...this.place, count]);
      return rows.map(({ id }) => id);
    });
  }

  /**
   * Deletes the requests that were open, so that each size of history is measured with the same number of open rows.
   */
  async clearDecided(): Promise<void> {
    await connected(adminUrl(this.product, 'pam'), (client) =>
      client.query(`DELETE FROM elevation_requests WHERE status = 'pending' OR approved_by IS NOT NULL`),
    );
  }

  /**
   * Adds closed requests of the organisation up to a number of rows, evenly over the past months, and runs VACUUM
   * ANALYZE.
   */
  async growTo(total: number): Promise<void> {
    await connected(adminUrl(this.product, 'pam'), async (client) => {
      for (; this.history < total; this.history = Math.min(total, this.history + CHUNK)) {
        await client.query(HISTORY, [
          ...this.place,
          (MONTHS - 1) * 30,
          total,
          this.history + 1,
          Math.min(total, this.history + CHUNK),
        ]);
      }
      await client.query('VACUUM (ANALYZE) elevation_requests');
      await client.query('CHECKPOINT');
    });
  }
}
