import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Marks the links that users made themselves. Links of a partner's providers could not be made otherwise; for other
 * links this is unknown, so break-glass users must link theirs again.
 */
export class SelfLinkedIdentities1800000000251 implements MigrationInterface {
  name = 'SelfLinkedIdentities1800000000251';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SELECT set_config('app.system', 'on', true);
      ALTER TABLE sso_identity_links ADD COLUMN self_linked boolean NOT NULL DEFAULT false;
      COMMENT ON COLUMN sso_identity_links.self_linked IS 'The person proved the account for this link';
      UPDATE sso_identity_links SET self_linked = true WHERE org_id IS NULL;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sso_identity_links DROP COLUMN self_linked');
  }
}
