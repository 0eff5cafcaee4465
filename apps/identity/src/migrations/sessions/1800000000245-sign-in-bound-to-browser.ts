import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Codes issued by an older release name no browser: they cannot be exchanged, and the user signs in again. */
const UP = `
  ALTER TABLE sso_exchange_codes ADD COLUMN browser_hash char(64);
  COMMENT ON COLUMN sso_exchange_codes.browser_hash IS 'SHA-256 of the cookie of the browser that the code was issued to';
  ALTER TABLE sso_providers ADD COLUMN announces_iss boolean NOT NULL DEFAULT false;
  COMMENT ON COLUMN sso_providers.announces_iss IS 'RFC 9207: the issuer says of itself that its callbacks carry iss';
  ALTER TABLE sso_domains ADD COLUMN last_missed_at timestamptz;`;

const DOWN = `
  ALTER TABLE sso_domains DROP COLUMN last_missed_at;
  ALTER TABLE sso_providers DROP COLUMN announces_iss;
  ALTER TABLE sso_exchange_codes DROP COLUMN browser_hash;`;

export class SignInBoundToBrowser1800000000245 implements MigrationInterface {
  name = 'SignInBoundToBrowser1800000000245';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
