import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a provider's answer proves of a second factor, and the claim that identifies its users (SSO-89, SSO-91). */
export class ProvidersAsTheyAre1800000000520 implements MigrationInterface {
  name = 'ProvidersAsTheyAre1800000000520';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sso_providers
        ADD COLUMN mfa_evidence text[] NOT NULL DEFAULT '{amr}',
        ADD COLUMN mfa_evidence_values jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN subject_claim text NOT NULL DEFAULT 'sub'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE sso_providers DROP COLUMN mfa_evidence, DROP COLUMN mfa_evidence_values, DROP COLUMN subject_claim',
    );
  }
}
