import { acrossTenants, tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Several approvals for one request: what a request demands is stored with it, so that a later change of the policy
 * helps no pending request. A vote whose voter lost the right to it is void, and counts again after a new vote.
 */
const TABLES = `
  ALTER TABLE elevation_requests ADD COLUMN votes_required smallint NOT NULL DEFAULT 1, ADD COLUMN pending_minutes integer,
    ADD COLUMN requester_barred boolean NOT NULL DEFAULT false, ADD COLUMN barred_editors uuid[];
  CREATE TABLE elevation_votes (
    elevation_request_id uuid NOT NULL,
    user_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    user_name text NOT NULL,
    minutes integer NOT NULL CONSTRAINT elevation_vote_minutes CHECK (minutes BETWEEN 1 AND 1440),
    voted_at timestamptz NOT NULL DEFAULT now(),
    voided_at timestamptz,
    PRIMARY KEY (elevation_request_id, user_id)
  );
  CREATE INDEX elevation_vote_by_org ON elevation_votes (org_id);
  CREATE TABLE pam_approval_policies (
    org_id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    levels jsonb NOT NULL DEFAULT '[]',
    default_approvals smallint NOT NULL CONSTRAINT pam_approval_policy_approvals CHECK (default_approvals BETWEEN 1 AND 5),
    default_pending_minutes integer CONSTRAINT pam_approval_policy_minutes CHECK (default_pending_minutes BETWEEN 1 AND 1440),
    rule_editors boolean NOT NULL DEFAULT false,
    ai_requester boolean NOT NULL DEFAULT false,
    version integer NOT NULL DEFAULT 1,
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  ${tenantPolicy({ table: 'elevation_votes', orgColumn: 'org_id' })}
  ${tenantPolicy({ table: 'pam_approval_policies', orgColumn: 'org_id' })}
`;

/**
 * The people who may approve requests of an organisation, and at which sites. It sees people of every level, those of
 * the system too, which the context of a tenant hides.
 */
export const VOTERS = `
  ${acrossTenants({
    name: 'elevation_voters(of_partner uuid, of_org uuid)',
    returns: 'TABLE (user_id uuid, everywhere boolean, site_ids uuid[])',
    volatility: 'STABLE',
    query: `SELECT t.user_id, a.site_ids = '{}', a.site_ids
      FROM technician_reach a JOIN technician_ref t ON t.user_id = a.user_id AND t.active
     WHERE (a.partner_id = of_partner OR a.partner_id IS NULL) AND a.permissions && '{devices:execute,*}'
       AND (a.level = 'system' OR (a.partner_id = of_partner AND (a.all_orgs OR of_org = ANY (a.org_ids))))`,
  })}
`;

/** Dropping a month takes its votes with it. */
const PARTITIONS = `
  CREATE OR REPLACE FUNCTION elevation_partitions_drop(months_kept integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DECLARE
    oldest text := 'elevation_requests_' || to_char((now() AT TIME ZONE 'UTC') - make_interval(months => months_kept), 'YYYY_MM');
    partition text;
    dropped integer := 0;
  BEGIN
    FOR partition IN SELECT relname FROM pg_class WHERE relname ~ '^elevation_requests_\\d{4}_\\d{2}$' AND relkind = 'r' AND relname < oldest ORDER BY relname LOOP
      EXECUTE format('DELETE FROM approvals a USING %I r WHERE r.id = a.elevation_request_id', partition);
      EXECUTE format('DELETE FROM elevation_votes v USING %I r WHERE r.id = v.elevation_request_id', partition);
      EXECUTE format('INSERT INTO elevation_count_deltas SELECT partner_id, org_id, flow_type, status, -count(*) FROM %I GROUP BY 1, 2, 3, 4', partition);
      EXECUTE format('DROP TABLE %I', partition);
      dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
  END $$;
`;

export class ApprovalVotes1800000004211 implements MigrationInterface {
  name = 'ApprovalVotes1800000004211';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [TABLES, VOTERS, PARTITIONS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION elevation_voters;
      DROP TABLE elevation_votes, pam_approval_policies;
      ALTER TABLE elevation_requests DROP COLUMN votes_required, DROP COLUMN pending_minutes, DROP COLUMN requester_barred, DROP COLUMN barred_editors`);
  }
}
