import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a replay was last worked on, so that replays of all partners get their turns. */
export class FairReplays1800000004513 implements MigrationInterface {
  name = 'FairReplays1800000004513';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE pam_replays ADD COLUMN served_at timestamptz;
      CREATE INDEX pam_replay_by_turn ON pam_replays (partner_id, served_at DESC NULLS LAST)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pam_replays DROP COLUMN served_at');
  }
}
