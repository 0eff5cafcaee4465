import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An API key that was made in a session of an identity provider stands on the link by which that session was opened.
 * Users without a password had no other sessions, so their earlier keys stand on their link in the key's tenant; for the
 * earlier keys of other users the session is unknown, and they stand by themselves.
 */
export class KeysOfProviderSessions1800000000502 implements MigrationInterface {
  name = 'KeysOfProviderSessions1800000000502';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SELECT set_config('app.system', 'on', true);
      ALTER TABLE api_keys
        ADD COLUMN provider_id uuid REFERENCES sso_providers ON DELETE CASCADE,
        ADD COLUMN link_id uuid REFERENCES sso_identity_links ON DELETE CASCADE;
      CREATE INDEX api_keys_provider ON api_keys (provider_id) WHERE provider_id IS NOT NULL;
      CREATE INDEX api_keys_link ON api_keys (link_id) WHERE link_id IS NOT NULL;
      UPDATE api_keys k SET provider_id = l.provider_id, link_id = l.id,
             expires_at = coalesce(k.expires_at, now() + interval '365 days')
        FROM sso_identity_links l
       WHERE l.user_id = k.user_id AND l.partner_id = k.partner_id AND l.org_id IS NOT DISTINCT FROM k.org_id
         AND NOT EXISTS (SELECT FROM credentials c WHERE c.user_id = k.user_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys DROP COLUMN provider_id, DROP COLUMN link_id');
  }
}
