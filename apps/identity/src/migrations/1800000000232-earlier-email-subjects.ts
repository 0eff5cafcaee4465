import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Subjects of the format emailAddress are now stored in lower case. Existing subjects keep their spelling, because two
 * of them may differ only in letter case; a new column holds the folded form for comparison. The format of a subject
 * was not stored, so the format that the provider was asked for counts. Only ASCII letters are folded.
 */
export class EarlierEmailSubjects1800000000232 implements MigrationInterface {
  name = 'EarlierEmailSubjects1800000000232';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SELECT set_config('app.system', 'on', true);
      ALTER TABLE sso_identity_links ADD COLUMN earlier_email_subject varchar(255);
      UPDATE sso_identity_links l SET earlier_email_subject = lower(l.external_id COLLATE "C")
        FROM sso_providers p
       WHERE p.id = l.provider_id AND p.type = 'saml' AND l.external_id LIKE '%@%'
         AND coalesce(p.name_id_format, '') IN ('', 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress');
      CREATE INDEX sso_identity_links_earlier_email_subject ON sso_identity_links (provider_id, earlier_email_subject)
       WHERE earlier_email_subject IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sso_identity_links DROP COLUMN earlier_email_subject');
  }
}
