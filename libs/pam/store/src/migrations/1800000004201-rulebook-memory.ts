import { RULE_MODES } from '@gatehouse/contracts-pam';
import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { oneOf } from './elevation-requests-sql.ts';

const RULES = `
  ALTER TABLE pam_rules
    ADD COLUMN mode text NOT NULL DEFAULT 'live' CONSTRAINT pam_rule_mode_known CHECK (mode IN (${oneOf(RULE_MODES)})),
    ADD COLUMN shadow_since timestamptz,
    ADD COLUMN expires_at timestamptz,
    ADD COLUMN updated_by uuid,
    ADD COLUMN from_request_id uuid;
  ALTER TABLE signer_groups ADD COLUMN created_by uuid;
`;

/** Every state of every part of a rulebook, and the instants at which versions began. */
const MEMORY = `
  CREATE TABLE rulebook_parts (
    kind text NOT NULL,
    id uuid NOT NULL,
    partner_id uuid NOT NULL,
    org_id uuid,
    value jsonb NOT NULL,
    edited_by uuid,
    valid_from timestamptz NOT NULL,
    valid_to timestamptz NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (kind, id, valid_from)
  );
  CREATE INDEX rulebook_part_by_org ON rulebook_parts (org_id, kind, valid_to);
  CREATE INDEX rulebook_part_of_partner ON rulebook_parts (partner_id, kind, valid_to) WHERE org_id IS NULL;
  CREATE INDEX rulebook_part_ended ON rulebook_parts (valid_to) WHERE valid_to < 'infinity';

  CREATE TABLE rulebook_instants (
    org_id uuid NOT NULL,
    version bigint NOT NULL,
    partner_id uuid NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (org_id, version)
  );
  CREATE INDEX rulebook_instant_by_time ON rulebook_instants USING brin (at);
`;

const rememberAll = (kind: string, table: string, id: string, editor: string): string => `
  INSERT INTO rulebook_parts (kind, id, partner_id, org_id, value, edited_by, valid_from)
  SELECT '${kind}', t.${id}, t.partner_id, t.org_id, to_jsonb(t), ${editor}, '-infinity' FROM ${table} t;`;

/** What is there now counts as having been there always. */
const BACKFILL = `
  ${rememberAll('rule', 'pam_rules', 'id', 't.created_by')}
  ${rememberAll('signer_group', 'signer_groups', 'id', 'NULL')}
  ${rememberAll('software_policy', 'software_policies', 'id', 't.created_by')}
  ${rememberAll('config', 'pam_config', 'org_id', 'NULL')}
  INSERT INTO rulebook_instants (org_id, version, partner_id, at) SELECT org_id, version, partner_id, '-infinity' FROM rulebook_versions;
`;

const POLICIES = [
  tenantPolicy({ table: 'rulebook_parts', orgColumn: 'org_id', sharedByPartner: true }),
  tenantPolicy({ table: 'rulebook_instants', orgColumn: 'org_id' }),
];

export class RulebookMemory1800000004201 implements MigrationInterface {
  name = 'RulebookMemory1800000004201';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT set_config('app.system', 'on', true)`);
    for (const sql of [RULES, MEMORY, BACKFILL, ...POLICIES]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE rulebook_parts, rulebook_instants;
      ALTER TABLE signer_groups DROP COLUMN created_by;
      ALTER TABLE pam_rules DROP COLUMN mode, DROP COLUMN shadow_since, DROP COLUMN expires_at, DROP COLUMN updated_by, DROP COLUMN from_request_id`);
  }
}
