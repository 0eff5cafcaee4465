import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A session that keeps its refresh token in a cookie never gets one in a body, whatever its pages ask for. */
export class CookieSessions1800000000264 implements MigrationInterface {
  name = 'CookieSessions1800000000264';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions ADD COLUMN in_cookie boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions DROP COLUMN in_cookie');
  }
}
