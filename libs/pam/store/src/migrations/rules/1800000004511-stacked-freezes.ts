import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Freezes of one target stack: each stands by its own id (PAM-340). */
export class StackedFreezes1800000004511 implements MigrationInterface {
  name = 'StackedFreezes1800000004511';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX pam_freeze_once;
      CREATE INDEX pam_freeze_of_target ON pam_freezes (target_id) WHERE ended_at IS NULL`);
  }

  /** Of several freezes in one mode the latest end stays. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE pam_freezes f SET ended_at = now() WHERE f.ended_at IS NULL AND EXISTS (
        SELECT FROM pam_freezes o WHERE o.target_id = f.target_id AND o.mode = f.mode AND o.ended_at IS NULL
          AND (coalesce(o.expires_at, 'infinity'), o.id) > (coalesce(f.expires_at, 'infinity'), f.id));
      DROP INDEX pam_freeze_of_target;
      CREATE UNIQUE INDEX pam_freeze_once ON pam_freezes (target_id, mode) WHERE ended_at IS NULL`);
  }
}
