import type { MigrationInterface, QueryRunner } from 'typeorm';

const versionOn = (condition: string): string => `
  CREATE OR REPLACE TRIGGER organizations_version BEFORE UPDATE ON organizations
    FOR EACH ROW ${condition} EXECUTE FUNCTION grow_version()`;

/** An organisation does not change when its partner orders the list. */
export class VersionsOfOrganizations1800000009100 implements MigrationInterface {
  name = 'VersionsOfOrganizations1800000009100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(versionOn('WHEN (OLD.position = NEW.position)'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(versionOn(''));
  }
}
