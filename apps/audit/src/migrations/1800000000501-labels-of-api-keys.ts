import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An API key acts as its owner; what it is called is recorded beside the owner's name. */
export class LabelsOfApiKeys1800000000501 implements MigrationInterface {
  name = 'LabelsOfApiKeys1800000000501';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_entries ADD COLUMN actor_label text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_entries DROP COLUMN actor_label');
  }
}
