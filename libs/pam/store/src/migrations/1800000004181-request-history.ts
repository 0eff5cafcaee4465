import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes for the history of a file and of a user within an organisation, and for the requests that a rule decided.
 * Paths and names may exceed the size of an index entry, so their hashes are indexed.
 */
const UP = `
  CREATE INDEX elevation_request_by_file ON elevation_requests (org_id, hashtextextended(coalesce(target_executable_hash, lower(target_executable_path)), 0), id) WHERE target_executable_path IS NOT NULL;
  CREATE INDEX elevation_request_by_user ON elevation_requests (org_id, hashtextextended(lower(subject_username), 0), id) WHERE subject_username IS NOT NULL;
  CREATE INDEX elevation_request_by_rule ON elevation_requests (pam_rule_id, id) WHERE pam_rule_id IS NOT NULL`;

export class RequestHistory1800000004181 implements MigrationInterface {
  name = 'RequestHistory1800000004181';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX elevation_request_by_file, elevation_request_by_user, elevation_request_by_rule');
  }
}
