import { OPT_OUTS, RULE_PRECEDENCES } from '@gatehouse/contracts-pam';
import { changedTenantPolicy, tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { oneOf } from '../elevation-requests-sql.ts';

const SHARED = ['signer_groups', 'pam_rules'].map((table) =>
  changedTenantPolicy({ table, orgColumn: 'org_id', sharedByPartner: true }),
);

/**
 * Rules and groups without an organisation are the partner's. The foreign key that keeps a rule's signer group with its
 * organisation does not see these, so that they have one of their own.
 */
const OWNERS = `
  ALTER TABLE signer_groups ALTER COLUMN org_id DROP NOT NULL;
  CREATE INDEX signer_group_of_partner ON signer_groups (partner_id) WHERE org_id IS NULL;
  ALTER TABLE pam_rules ALTER COLUMN org_id DROP NOT NULL,
    ADD COLUMN precedence text
      CONSTRAINT pam_rule_precedence_known CHECK (precedence IN (${oneOf(RULE_PRECEDENCES)}))
      CONSTRAINT pam_rule_of_partner_has_precedence CHECK ((org_id IS NULL) <> (precedence IS NULL))
      CONSTRAINT pam_rule_of_partner_names_no_site CHECK (precedence IS NULL OR site_id IS NULL)
      CONSTRAINT pam_rule_before_tightens CHECK (precedence <> 'before'
        OR verdict IN ('auto_deny', 'require_approval')),
    ADD COLUMN opt_out text
      CONSTRAINT pam_rule_opt_out_known CHECK (opt_out IN (${oneOf(OPT_OUTS)}))
      CONSTRAINT pam_rule_of_partner_has_opt_out CHECK ((org_id IS NULL) <> (opt_out IS NULL)),
    ADD COLUMN partner_group_id uuid
      GENERATED ALWAYS AS (CASE WHEN org_id IS NULL THEN match_signer_group_id END) STORED
      CONSTRAINT pam_rule_partner_group REFERENCES signer_groups (id);
  CREATE INDEX pam_rule_of_partner ON pam_rules (partner_id, precedence, priority, created_at, id)
    WHERE org_id IS NULL;
  CREATE INDEX pam_rule_by_partner_group ON pam_rules (partner_group_id) WHERE org_id IS NULL;
`;

const TABLES = `
  CREATE TABLE pam_rule_opt_outs (
    id uuid PRIMARY KEY,
    rule_id uuid NOT NULL REFERENCES pam_rules (id) ON DELETE CASCADE,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    reason text NOT NULL,
    opted_out_by uuid NOT NULL,
    opted_out_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pam_rule_opt_out_once UNIQUE (rule_id, org_id)
  );
  CREATE INDEX pam_rule_opt_out_by_org ON pam_rule_opt_outs (org_id);
  ${tenantPolicy({ table: 'pam_rule_opt_outs', orgColumn: 'org_id' })}

  CREATE TABLE pam_partner_rule_usage (
    rule_id uuid NOT NULL,
    org_id uuid NOT NULL,
    day date NOT NULL,
    partner_id uuid NOT NULL,
    matches bigint NOT NULL,
    last_matched_at timestamptz NOT NULL,
    PRIMARY KEY (rule_id, org_id, day)
  );
  CREATE INDEX pam_partner_rule_usage_by_org ON pam_partner_rule_usage (org_id);
  CREATE INDEX pam_partner_rule_usage_by_day ON pam_partner_rule_usage USING brin (day);
  ${tenantPolicy({ table: 'pam_partner_rule_usage', orgColumn: 'org_id' })}
`;

/** Rules and signer groups of a whole partner, which organisations have left such rules, and how often they match. */
export class PartnerRules1800000004421 implements MigrationInterface {
  name = 'PartnerRules1800000004421';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [OWNERS, ...SHARED, TABLES]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT set_config('app.system', 'on', true)`);
    await runner.query(`
      DROP TABLE pam_rule_opt_outs, pam_partner_rule_usage;
      DELETE FROM pam_rules WHERE org_id IS NULL;
      DELETE FROM signer_groups WHERE org_id IS NULL;
      DELETE FROM rulebook_parts WHERE kind = 'rule_opt_out' OR (org_id IS NULL AND kind IN ('rule', 'signer_group'));
      ALTER TABLE pam_rules DROP COLUMN partner_group_id, DROP COLUMN precedence, DROP COLUMN opt_out,
        ALTER COLUMN org_id SET NOT NULL;
      DROP INDEX signer_group_of_partner;
      ALTER TABLE signer_groups ALTER COLUMN org_id SET NOT NULL`);
    for (const table of ['signer_groups', 'pam_rules'])
      await runner.query(changedTenantPolicy({ table, orgColumn: 'org_id' }));
  }
}
