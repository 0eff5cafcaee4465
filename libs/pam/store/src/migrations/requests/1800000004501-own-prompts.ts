import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether people may approve prompts of their own accounts, who ended a state of a part of a rulebook, and who moved a
 * device or changed its groups.
 */
/** Tells tenancy of the groups that levels name already, as a change of the policy would. */
const TELL_GROUPS = `
  WITH named AS (
    SELECT a.org_id, a.partner_id, a.version, gen_random_uuid() AS id,
           (SELECT jsonb_agg(DISTINCT g) FROM jsonb_array_elements(a.levels) AS l,
             jsonb_array_elements(coalesce(l->'deviceGroupIds', '[]')) AS g) AS group_ids
      FROM pam_approval_policies a)
  INSERT INTO outbox (id, subject, envelope)
  SELECT n.id, 'pam.approval_levels.changed.v1', json_build_object('id', n.id, 'subject',
    'pam.approval_levels.changed.v1', 'occurredAt', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'source', 'pam', 'aggregateId', n.org_id, 'actor', json_build_object('type', 'system', 'id', NULL, 'name', 'pam'),
    'traceparent', NULL, 'data', json_build_object('orgId', n.org_id, 'partnerId', n.partner_id,
      'groupIds', n.group_ids, 'version', n.version))
    FROM named n WHERE n.group_ids IS NOT NULL`;

export class OwnPrompts1800000004501 implements MigrationInterface {
  name = 'OwnPrompts1800000004501';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT set_config('app.system', 'on', true)`);
    await runner.query(`
      ALTER TABLE pam_config ADD COLUMN allow_self_approval boolean NOT NULL DEFAULT false;
      ALTER TABLE rulebook_parts ADD COLUMN ended_by uuid;
      ALTER TABLE device_ref ADD COLUMN edits jsonb NOT NULL DEFAULT '[]'`);
    await runner.query(TELL_GROUPS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE pam_config DROP COLUMN allow_self_approval;
      ALTER TABLE rulebook_parts DROP COLUMN ended_by;
      ALTER TABLE device_ref DROP COLUMN edits`);
  }
}
