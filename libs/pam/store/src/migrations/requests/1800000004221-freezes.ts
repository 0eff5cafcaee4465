import { FREEZE_LEVELS, FREEZE_MODES } from '@gatehouse/contracts-pam';
import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { oneOf } from '../elevation-requests-sql.ts';

/**
 * Emergency freezes. `created_at` is read under the locks of the rulebooks, so every window that opened before the
 * freeze is older. The last columns are the work that follows a freeze, and the lease of the replica that does it.
 */
const FREEZES = `
  CREATE TABLE pam_freezes (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid,
    level text NOT NULL CONSTRAINT pam_freeze_level_known CHECK (level IN (${oneOf(FREEZE_LEVELS)})),
    target_id uuid NOT NULL,
    mode text NOT NULL CONSTRAINT pam_freeze_mode_known CHECK (mode IN (${oneOf(FREEZE_MODES)})),
    reason text NOT NULL,
    created_by uuid NOT NULL,
    created_by_name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz,
    ended_at timestamptz,
    lifted_by uuid,
    lifted_by_name text,
    lift_reason text,
    revoked integer NOT NULL DEFAULT 0,
    withdrawn integer NOT NULL DEFAULT 0,
    done boolean NOT NULL,
    asked boolean NOT NULL,
    asked_up_to uuid,
    leased_until timestamptz,
    CONSTRAINT pam_freeze_org_below_partner CHECK ((level = 'partner') = (org_id IS NULL))
  );
  CREATE UNIQUE INDEX pam_freeze_once ON pam_freezes (target_id, mode) WHERE ended_at IS NULL;
  CREATE INDEX pam_freeze_in_force ON pam_freezes (partner_id, org_id) WHERE ended_at IS NULL;
  CREATE INDEX pam_freeze_by_partner ON pam_freezes (partner_id, id);
  CREATE INDEX pam_freeze_work ON pam_freezes (created_at) WHERE NOT done OR (ended_at IS NOT NULL AND NOT asked);
  ${tenantPolicy({ table: 'pam_freezes', orgColumn: 'org_id', sharedByPartner: true })}`;

export class Freezes1800000004221 implements MigrationInterface {
  name = 'Freezes1800000004221';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(FREEZES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE pam_freezes');
  }
}
