import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Our certificate with which a provider encrypts assertions, and the keys that decrypt them (SSO-182). */
export class EncryptedAssertions1800000000581 implements MigrationInterface {
  name = 'EncryptedAssertions1800000000581';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE sso_providers ADD COLUMN encryption_certificate text, ADD COLUMN encryption_keys_sealed text',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE sso_providers DROP COLUMN encryption_certificate, DROP COLUMN encryption_keys_sealed',
    );
  }
}
