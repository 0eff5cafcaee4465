import type { MigrationInterface, QueryRunner } from 'typeorm';
import { acrossTenants, reachOf } from '@gatehouse/database';

/** The reasons of decisions that an organisation keeps, for the console to offer. */
export class ReasonsOfDecisions1800000004531 implements MigrationInterface {
  name = 'ReasonsOfDecisions1800000004531';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE pam_config ADD COLUMN approve_reasons text[] NOT NULL DEFAULT '{}',
      ADD COLUMN deny_reasons text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE pam_config DROP COLUMN approve_reasons, DROP COLUMN deny_reasons');
  }
}

const IN_REACH = reachOf({ table: 'elevation_requests', orgColumn: 'org_id' });

const earlier = (name: string, value: string, column: string, key: string): string => `
  CREATE FUNCTION ${name}(org uuid, ${value} text, since uuid, before uuid, most integer)
  RETURNS SETOF uuid LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp ROWS 10 AS $$
  BEGIN
    RETURN QUERY SELECT id FROM elevation_requests
      WHERE org_id = org AND ${column} IS NOT NULL AND hashtextextended(${key}, 0) = hashtextextended(${value}, 0)
        AND ${key} = ${value} AND id < before AND id >= since AND (${IN_REACH})
      LIMIT most;
  END $$;`;

const FILE = 'coalesce(target_executable_hash, lower(target_executable_path))';
const USER = 'lower(subject_username)';

/**
 * The earlier requests of an organisation for the same file, and of the same user, in no order. Under row security
 * PostgreSQL uses no index over `lower` or `hashtextextended`, because they are not leakproof: each row of a list read
 * the history of its organisation. The owner runs them, free of row security on reads; they state the caller's reach.
 */
export class EarlierRequests1800000004532 implements MigrationInterface {
  name = 'EarlierRequests1800000004532';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE POLICY elevation_requests_of_functions ON elevation_requests FOR SELECT TO CURRENT_USER USING (true);
      ${earlier('earlier_requests_for_file', 'file', 'target_executable_path', FILE)}
      ${earlier('earlier_requests_of_user', 'username', 'subject_username', USER)}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION earlier_requests_for_file;
      DROP FUNCTION earlier_requests_of_user;
      DROP POLICY elevation_requests_of_functions ON elevation_requests`);
  }
}

/** The identity provider whose session, or whose session's API key, made a request: the request ends with it. */
export class RequestsOfSessions1800000006000 implements MigrationInterface {
  name = 'RequestsOfSessions1800000006000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE elevation_requests ADD COLUMN requester_provider_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE elevation_requests DROP COLUMN requester_provider_id');
  }
}

/** What the queue is sorted and filtered by, and who looks at a request. Earlier programs leave all of it empty. */
export class QueueOfRequests1800000006201 implements MigrationInterface {
  name = 'QueueOfRequests1800000006201';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE elevation_requests ADD COLUMN flags text[], ADD COLUMN taken_by uuid,
      ADD COLUMN taken_by_name text, ADD COLUMN taken_until timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE elevation_requests DROP COLUMN flags, DROP COLUMN taken_by,
      DROP COLUMN taken_by_name, DROP COLUMN taken_until`);
  }
}

/** Where the devices were whose name a new one has (PAM-372); programs before this one leave it empty. */
export class Namesakes1800000007000 implements MigrationInterface {
  name = 'Namesakes1800000007000';

  async up(runner: QueryRunner): Promise<void> {
    // A column, because `lower` is not leakproof: behind row security an index over it is never used (ADR 18).
    await runner.query(`
      ALTER TABLE device_ref ADD COLUMN former_places uuid[] NOT NULL DEFAULT '{}',
        ADD COLUMN folded_hostname text NOT NULL GENERATED ALWAYS AS (lower(hostname)) STORED`);
    await runner.query('CREATE INDEX device_ref_by_name ON device_ref (partner_id, folded_hostname, device_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX device_ref_by_name');
    await runner.query('ALTER TABLE device_ref DROP COLUMN former_places, DROP COLUMN folded_hostname');
  }
}

/** The people who have a permission in an organisation, and at which sites: `elevation_voters` for any permission. */
export class PeopleWhoMay1800000008000 implements MigrationInterface {
  name = 'PeopleWhoMay1800000008000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      acrossTenants({
        name: 'people_who_may(wanted text, of_partner uuid, of_org uuid)',
        returns: 'TABLE (user_id uuid, everywhere boolean, site_ids uuid[])',
        volatility: 'STABLE',
        query: `SELECT t.user_id, a.site_ids = '{}', a.site_ids
          FROM technician_reach a JOIN technician_ref t ON t.user_id = a.user_id AND t.active
         WHERE (a.partner_id = of_partner OR a.partner_id IS NULL) AND a.permissions && ARRAY[wanted, '*']
           AND (a.level = 'system' OR (a.partner_id = of_partner AND (a.all_orgs OR of_org = ANY (a.org_ids))))`,
      }),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION people_who_may');
  }
}
