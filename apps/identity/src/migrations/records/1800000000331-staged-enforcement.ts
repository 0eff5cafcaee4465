import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The release before writes `enforce_sso` alone: the trigger lets the stage follow it. */
const KEEP_TOGETHER = `
  CREATE FUNCTION keep_enforcement_together() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.enforce_sso <> (NEW.enforcement_stage = 'enforce') THEN
      NEW.enforcement_stage := CASE WHEN NEW.enforce_sso THEN 'enforce' ELSE 'off' END;
    END IF;
    IF NEW.enforcement_stage <> 'warn' THEN
      NEW.enforce_at := NULL;
      NEW.enforcement_by := NULL;
      NEW.enforcement_notice_at := NULL;
      NEW.enforcement_postponed := NULL;
    END IF;
    IF NEW.enforcement_stage = 'off' THEN
      NEW.enforcement_started_at := NULL;
    ELSIF TG_OP = 'INSERT' OR NEW.enforcement_stage <> OLD.enforcement_stage THEN
      NEW.enforcement_started_at := now();
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER sso_providers_enforcement BEFORE INSERT OR UPDATE ON sso_providers
    FOR EACH ROW EXECUTE FUNCTION keep_enforcement_together();`;

/** Enforcement in stages (SSO-140). */
export class StagedEnforcement1800000000331 implements MigrationInterface {
  name = 'StagedEnforcement1800000000331';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SELECT set_config('app.system', 'on', true);
      ALTER TABLE sso_providers
        ADD COLUMN enforcement_stage text NOT NULL DEFAULT 'off',
        ADD COLUMN enforce_at timestamptz,
        ADD COLUMN enforcement_started_at timestamptz,
        ADD COLUMN enforcement_by uuid,
        ADD COLUMN enforcement_notice_at timestamptz,
        ADD COLUMN enforcement_postponed text;
      UPDATE sso_providers SET enforcement_stage = 'enforce', enforcement_started_at = updated_at WHERE enforce_sso;
      CREATE INDEX sso_providers_enforcement_due ON sso_providers (enforce_at) WHERE enforce_at IS NOT NULL;
      ${KEEP_TOGETHER}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER sso_providers_enforcement ON sso_providers;
      DROP FUNCTION keep_enforcement_together;
      ALTER TABLE sso_providers
        DROP COLUMN enforcement_stage, DROP COLUMN enforce_at, DROP COLUMN enforcement_started_at,
        DROP COLUMN enforcement_by, DROP COLUMN enforcement_notice_at, DROP COLUMN enforcement_postponed`);
  }
}
