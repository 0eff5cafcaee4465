import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The author of an applied replay and the editors of the source of a copy are editors beside who made the change. */
export class FurtherEditors1800000004512 implements MigrationInterface {
  name = 'FurtherEditors1800000004512';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE rulebook_parts ADD COLUMN also_by uuid[] NOT NULL DEFAULT '{}'::uuid[]`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE rulebook_parts DROP COLUMN also_by');
  }
}
