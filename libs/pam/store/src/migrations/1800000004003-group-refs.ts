import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Device groups, including empty ones. Groups that have devices are derived from these, at a version below any that
 * tenancy will publish; a rebuild of the read model adds the others.
 */
const CREATE = `
  CREATE TABLE group_ref (
    group_id uuid PRIMARY KEY,
    org_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    name text NOT NULL,
    deleted boolean NOT NULL,
    version bigint NOT NULL
  );
  ${tenantPolicy({ table: 'group_ref', orgColumn: 'org_id' })}
  INSERT INTO group_ref SELECT DISTINCT ON (g.id) g.id, d.org_id, d.partner_id, '', false, 0 FROM device_ref d, unnest(d.group_ids) AS g(id) WHERE NOT d.deleted ORDER BY g.id, d.version DESC`;

export class GroupRefs1800000004003 implements MigrationInterface {
  name = 'GroupRefs1800000004003';

  async up(runner: QueryRunner): Promise<void> {
    // Row security also applies to the tables' owner.
    await runner.query(`SELECT set_config('app.system', 'on', true)`);
    await runner.query(CREATE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE group_ref');
  }
}
