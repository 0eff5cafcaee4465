import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index for finding due deliveries by partner, and by subscription within a partner. */
export class DeliveriesOfPartners1800000000304 implements MigrationInterface {
  name = 'DeliveriesOfPartners1800000000304';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX push_deliveries_of_partner ON push_deliveries (partner_id, subscription_id, next_attempt_at) WHERE delivered_at IS NULL;
      DROP INDEX push_deliveries_waiting`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX push_deliveries_waiting ON push_deliveries (subscription_id, next_attempt_at) WHERE delivered_at IS NULL;
      DROP INDEX push_deliveries_of_partner`);
  }
}
