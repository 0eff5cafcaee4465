import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes for finding due deliveries by subscription, and expired ones by their expiry. */
export class WaitingDeliveries1800000000303 implements MigrationInterface {
  name = 'WaitingDeliveries1800000000303';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX push_deliveries_waiting ON push_deliveries (subscription_id, next_attempt_at) WHERE delivered_at IS NULL;
      CREATE INDEX push_deliveries_expiring ON push_deliveries (expires_at) WHERE delivered_at IS NULL;
      DROP INDEX push_deliveries_due`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX push_deliveries_due ON push_deliveries (next_attempt_at) WHERE delivered_at IS NULL;
      DROP INDEX push_deliveries_waiting, push_deliveries_expiring`);
  }
}
