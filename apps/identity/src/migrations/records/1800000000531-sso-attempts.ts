import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `record_sso_attempt` returns why a row was not written: a sign-in does not fail for want of its record. */
const ATTEMPTS = `
  CREATE TABLE sso_attempts (
    id uuid PRIMARY KEY,
    partner_id uuid,
    org_id uuid,
    provider_id uuid,
    provider_name text,
    kind text NOT NULL,
    protocol text NOT NULL,
    result text NOT NULL,
    code text,
    email text,
    user_id uuid,
    ip text,
    user_agent text,
    request_id text,
    config_version integer,
    trace_sealed text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  COMMENT ON COLUMN sso_attempts.partner_id IS 'Null for a return that belongs to no sign-in';
  CREATE INDEX sso_attempts_partner ON sso_attempts (partner_id, id);
  CREATE INDEX sso_attempts_org ON sso_attempts (org_id, id) WHERE org_id IS NOT NULL;
  CREATE INDEX sso_attempts_age ON sso_attempts (created_at);
  ${tenantPolicy({ table: 'sso_attempts', orgColumn: 'org_id' })}
  CREATE FUNCTION record_sso_attempt(attempt jsonb) RETURNS text
  LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
  BEGIN
    INSERT INTO sso_attempts
    SELECT * FROM jsonb_populate_record(NULL::sso_attempts, attempt || jsonb_build_object('created_at', now()));
    RETURN NULL;
  EXCEPTION WHEN OTHERS THEN
    RETURN SQLERRM;
  END $$;`;

export class SsoAttempts1800000000531 implements MigrationInterface {
  name = 'SsoAttempts1800000000531';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ATTEMPTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION record_sso_attempt; DROP TABLE sso_attempts');
  }
}
