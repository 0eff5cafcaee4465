import { changedTenantPolicy, tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

// Under forced row security no index can serve LIKE: it is not leakproof, so row security is checked first. One short
// comparison for each row keeps the search cheap.
const SEARCH = `
  ALTER TABLE devices ADD COLUMN search_text text NOT NULL
    GENERATED ALWAYS AS (lower(hostname || E'\\n' || coalesce(display_name, '') || E'\\n' || coalesce(serial_number, ''))) STORED;`;

const columns = 'partner_id, org_id, site_id, status';
const COLUMNS_OF_COUNTS =
  'partner_id uuid NOT NULL, org_id uuid NOT NULL, site_id uuid NOT NULL, status text NOT NULL, count bigint NOT NULL';

/** The differences that a statement makes to the device counts, from the rows it added and removed. */
const STEPS = {
  insert: `SELECT ${columns}, 1 AS step FROM added`,
  delete: `SELECT ${columns}, -1 AS step FROM removed`,
  update: `SELECT ${columns}, 1 AS step FROM added UNION ALL SELECT ${columns}, -1 FROM removed`,
};
const TRANSITIONS = {
  insert: 'NEW TABLE AS added',
  delete: 'OLD TABLE AS removed',
  update: 'OLD TABLE AS removed NEW TABLE AS added',
};

const counting = (event: keyof typeof STEPS): string => `
  CREATE FUNCTION count_devices_on_${event}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO device_count_deltas SELECT ${columns}, sum(step) FROM (${STEPS[event]}) AS steps GROUP BY ${columns} HAVING sum(step) <> 0;
      RETURN NULL;
    END $$;
  CREATE TRIGGER devices_counted_on_${event} AFTER ${event} ON devices REFERENCING ${TRANSITIONS[event]} FOR EACH STATEMENT EXECUTE FUNCTION count_devices_on_${event}();`;

/**
 * Exact totals without counting rows: each statement inserts its differences, so writers do not block each other. A
 * periodic task sums them up.
 */
const COUNTS = `
  CREATE TABLE device_counts (${COLUMNS_OF_COUNTS}, PRIMARY KEY (${columns}));
  CREATE TABLE device_count_deltas (${COLUMNS_OF_COUNTS});
  CREATE INDEX device_count_deltas_of_partner ON device_count_deltas (partner_id);
  ${['device_counts', 'device_count_deltas'].map((table) => tenantPolicy({ table, orgColumn: 'org_id', large: true })).join('')}
  ${(['insert', 'delete', 'update'] as const).map(counting).join('')}
  INSERT INTO device_counts SELECT ${columns}, count(*) FROM devices GROUP BY ${columns};`;

const LARGE = [
  { table: 'organizations', orgColumn: 'id' },
  { table: 'sites', orgColumn: 'org_id' },
  { table: 'devices', orgColumn: 'org_id' },
];

/** Device lists whose cost does not grow with the number of organisations or devices in the caller's reach. */
export class DeviceLists1800000001006 implements MigrationInterface {
  name = 'DeviceLists1800000001006';

  async up(runner: QueryRunner): Promise<void> {
    // Forced row security applies to the table owner too.
    await runner.query(`SELECT set_config('app.system', 'on', true)`);
    await runner.query(
      [SEARCH, COUNTS, ...LARGE.map((table) => changedTenantPolicy({ ...table, large: true }))].join('\n'),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const uncounted = ['insert', 'delete', 'update'].map(
      (event) => `DROP TRIGGER devices_counted_on_${event} ON devices; DROP FUNCTION count_devices_on_${event};`,
    );
    await runner.query(
      [
        ...uncounted,
        'DROP TABLE device_counts, device_count_deltas; ALTER TABLE devices DROP COLUMN search_text;',
        ...LARGE.map(changedTenantPolicy),
      ].join('\n'),
    );
  }
}
