import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where the devices were whose name a new one has (PAM-372); programs before this one leave it empty. */
export class Namesakes1800000007000 implements MigrationInterface {
  name = 'Namesakes1800000007000';

  async up(runner: QueryRunner): Promise<void> {
    // A column, because `lower` is not leakproof: behind row security an index over it is never used (ADR 18).
    await runner.query(`
      ALTER TABLE device_ref ADD COLUMN former_places uuid[] NOT NULL DEFAULT '{}',
        ADD COLUMN folded_hostname text NOT NULL GENERATED ALWAYS AS (lower(hostname)) STORED`);
    await runner.query('CREATE INDEX device_ref_by_name ON device_ref (partner_id, folded_hostname)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX device_ref_by_name');
    await runner.query('ALTER TABLE device_ref DROP COLUMN former_places, DROP COLUMN folded_hostname');
  }
}
