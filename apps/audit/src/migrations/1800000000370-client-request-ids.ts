import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ClientRequestIds1800000000370 implements MigrationInterface {
  name = 'ClientRequestIds1800000000370';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_entries ADD COLUMN client_request_id text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_entries DROP COLUMN client_request_id');
  }
}
