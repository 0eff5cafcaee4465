import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How often each rule matched on each day, what becomes of risky rules, and which notices of an expiry were sent. */
const TABLES = `
  CREATE TABLE pam_rule_usage (
    rule_id uuid NOT NULL,
    day date NOT NULL,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    matches bigint NOT NULL,
    last_matched_at timestamptz NOT NULL,
    PRIMARY KEY (rule_id, day)
  );
  CREATE INDEX pam_rule_usage_by_org ON pam_rule_usage (org_id, day);
  CREATE INDEX pam_rule_usage_by_day ON pam_rule_usage USING brin (day);
  ALTER TABLE pam_config ADD COLUMN risky_rules text NOT NULL DEFAULT 'warn' CONSTRAINT pam_config_risky_rules CHECK (risky_rules IN ('warn', 'refuse'));
  ALTER TABLE pam_rules ADD COLUMN expiry_notices smallint NOT NULL DEFAULT 0;
  CREATE INDEX pam_rule_by_expiry ON pam_rules (expires_at) WHERE expires_at IS NOT NULL AND expiry_notices < 3;
  ${tenantPolicy({ table: 'pam_rule_usage', orgColumn: 'org_id' })}
`;

export class RuleUse1800000004231 implements MigrationInterface {
  name = 'RuleUse1800000004231';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE pam_rule_usage;
      ALTER TABLE pam_config DROP COLUMN risky_rules;
      ALTER TABLE pam_rules DROP COLUMN expiry_notices`);
  }
}
