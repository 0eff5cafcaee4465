import type { MigrationInterface, QueryRunner } from 'typeorm';

const versionOn = (change: string): string => `
  CREATE OR REPLACE TRIGGER device_groups_version BEFORE ${change} ON device_groups
    FOR EACH ROW EXECUTE FUNCTION grow_version()`;

/** A group does not change when a level of the approval policy names it. */
export class VersionsOfGroups1800000009000 implements MigrationInterface {
  name = 'VersionsOfGroups1800000009000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(versionOn('UPDATE OF partner_id, org_id, name, description'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(versionOn('UPDATE'));
  }
}
