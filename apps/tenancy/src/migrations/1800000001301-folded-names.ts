import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The column `search_text` of devices stays for the release before, which searches it. */
const UP = `
  ALTER TABLE organizations ADD COLUMN folded_name text GENERATED ALWAYS AS (folded_name(name)) STORED;
  ALTER TABLE sites ADD COLUMN folded_name text GENERATED ALWAYS AS (folded_name(name)) STORED;
  ALTER TABLE contacts ADD COLUMN folded_name text GENERATED ALWAYS AS (folded_name(name)) STORED;
  ALTER TABLE scripts ADD COLUMN folded_name text GENERATED ALWAYS AS (folded_name(name)) STORED;
  ALTER TABLE devices
    ADD COLUMN folded_hostname text GENERATED ALWAYS AS (folded_name(hostname)) STORED,
    ADD COLUMN folded_serial text GENERATED ALWAYS AS (folded_name(serial_number)) STORED,
    ADD COLUMN folded_search text GENERATED ALWAYS AS (folded_name(hostname) || E'\\n'
      || coalesce(folded_name(display_name), '') || E'\\n' || coalesce(folded_name(serial_number), '')) STORED;
  CREATE INDEX contacts_by_folded_name ON contacts (org_id, folded_name);
  CREATE INDEX devices_by_folded_machine ON devices (org_id, folded_hostname, folded_serial);`;

/** Names in the form in which they are compared (TEN-100). */
export class FoldedNames1800000001301 implements MigrationInterface {
  name = 'FoldedNames1800000001301';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE organizations DROP COLUMN folded_name;
      ALTER TABLE sites DROP COLUMN folded_name;
      ALTER TABLE contacts DROP COLUMN folded_name;
      ALTER TABLE scripts DROP COLUMN folded_name;
      ALTER TABLE devices DROP COLUMN folded_hostname, DROP COLUMN folded_serial, DROP COLUMN folded_search;`);
  }
}
