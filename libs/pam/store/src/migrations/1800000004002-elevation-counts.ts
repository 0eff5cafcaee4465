import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Exact totals for lists, at a cost independent of the history. Each statement on requests inserts its differences as
 * separate rows, so concurrent writers do not contend for one counter; a periodic task sums them up. Total = counts +
 * differences, read in one snapshot.
 */
const TABLES = ['elevation_counts', 'elevation_count_deltas'];

const CREATE = `
  CREATE TABLE elevation_counts (
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    flow_type text NOT NULL,
    status text NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (partner_id, org_id, flow_type, status)
  );
  CREATE TABLE elevation_count_deltas (
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    flow_type text NOT NULL,
    status text NOT NULL,
    count bigint NOT NULL
  );
  ${TABLES.map((table) => tenantPolicy({ table, orgColumn: 'org_id' })).join('')}

  CREATE FUNCTION elevation_count_added() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO elevation_count_deltas SELECT partner_id, org_id, flow_type, status, count(*) FROM added GROUP BY 1, 2, 3, 4;
    RETURN NULL;
  END $$;
  CREATE FUNCTION elevation_count_removed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO elevation_count_deltas SELECT partner_id, org_id, flow_type, status, -count(*) FROM removed GROUP BY 1, 2, 3, 4;
    RETURN NULL;
  END $$;
  CREATE FUNCTION elevation_count_moved() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO elevation_count_deltas
    SELECT partner_id, org_id, flow_type, status, sum(step) FROM (
      SELECT partner_id, org_id, flow_type, status, 1 AS step FROM added UNION ALL SELECT partner_id, org_id, flow_type, status, -1 FROM removed) AS steps
    GROUP BY 1, 2, 3, 4 HAVING sum(step) <> 0;
    RETURN NULL;
  END $$;
  CREATE TRIGGER elevation_counts_insert AFTER INSERT ON elevation_requests REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION elevation_count_added();
  CREATE TRIGGER elevation_counts_delete AFTER DELETE ON elevation_requests REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION elevation_count_removed();
  CREATE TRIGGER elevation_counts_update AFTER UPDATE ON elevation_requests REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION elevation_count_moved();

  -- Dropping a month takes its requests out of the totals, in the same transaction.
  CREATE OR REPLACE FUNCTION elevation_partitions_drop(months_kept integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DECLARE
    oldest text := 'elevation_requests_' || to_char((now() AT TIME ZONE 'UTC') - make_interval(months => months_kept), 'YYYY_MM');
    partition text;
    dropped integer := 0;
  BEGIN
    FOR partition IN SELECT relname FROM pg_class WHERE relname ~ '^elevation_requests_\\d{4}_\\d{2}$' AND relkind = 'r' AND relname < oldest ORDER BY relname LOOP
      EXECUTE format('DELETE FROM approvals a USING %I r WHERE r.id = a.elevation_request_id', partition);
      EXECUTE format('INSERT INTO elevation_count_deltas SELECT partner_id, org_id, flow_type, status, -count(*) FROM %I GROUP BY 1, 2, 3, 4', partition);
      EXECUTE format('DROP TABLE %I', partition);
      dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
  END $$;

  INSERT INTO elevation_counts SELECT partner_id, org_id, flow_type, status, count(*) FROM elevation_requests GROUP BY 1, 2, 3, 4;
`;

export class ElevationCounts1800000004002 implements MigrationInterface {
  name = 'ElevationCounts1800000004002';

  async up(runner: QueryRunner): Promise<void> {
    // Row security also applies to the tables' owner.
    await runner.query(`SELECT set_config('app.system', 'on', true)`);
    await runner.query(CREATE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER elevation_counts_insert ON elevation_requests;
      DROP TRIGGER elevation_counts_delete ON elevation_requests;
      DROP TRIGGER elevation_counts_update ON elevation_requests;
      DROP FUNCTION elevation_count_added, elevation_count_removed, elevation_count_moved;
      DROP TABLE elevation_counts, elevation_count_deltas`);
  }
}
