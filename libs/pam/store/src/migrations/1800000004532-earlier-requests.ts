import { reachOf } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const IN_REACH = reachOf({ table: 'elevation_requests', orgColumn: 'org_id' });

const earlier = (name: string, value: string, index: string): string => `
  CREATE FUNCTION ${name}(org uuid, ${value} text, since uuid, before uuid, most integer)
  RETURNS SETOF uuid LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp ROWS 10 AS $$
  BEGIN
    RETURN QUERY SELECT id FROM elevation_requests
      WHERE org_id = org AND ${index} AND id < before AND id >= since AND (${IN_REACH})
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
      ${earlier('earlier_requests_for_file', 'file', `target_executable_path IS NOT NULL AND hashtextextended(${FILE}, 0) = hashtextextended(file, 0) AND ${FILE} = file`)}
      ${earlier('earlier_requests_of_user', 'username', `subject_username IS NOT NULL AND hashtextextended(${USER}, 0) = hashtextextended(username, 0) AND ${USER} = username`)}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION earlier_requests_for_file;
      DROP FUNCTION earlier_requests_of_user;
      DROP POLICY elevation_requests_of_functions ON elevation_requests`);
  }
}
