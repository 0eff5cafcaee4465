import type { MigrationInterface, QueryRunner } from 'typeorm';
import { LOOKUPS_ACROSS_TENANTS } from './1800000000001-identity-core.ts';
import { governedBy } from './1800000000041-governed-where-alive.ts';
import { GOVERNED_MEMBERSHIPS, NEXT_STATES } from './1800000000261-memberships-apart.ts';
import { BACKED } from './1800000000262-invitations-as-offers.ts';
import { DELETE_UNBACKED } from './1800000000263-withdrawn-offers.ts';

/**
 * Earlier releases defined these functions with `SET app.system`, so that a dump of their database could be restored by
 * a superuser only.
 */
export class FunctionsWithoutGrants1800000000281 implements MigrationInterface {
  name = 'FunctionsWithoutGrants1800000000281';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      LOOKUPS_ACROSS_TENANTS +
        governedBy('live_memberships') +
        GOVERNED_MEMBERSHIPS +
        NEXT_STATES +
        BACKED +
        DELETE_UNBACKED,
    );
  }

  /** The functions are the same to their callers. */
  async down(): Promise<void> {}
}
