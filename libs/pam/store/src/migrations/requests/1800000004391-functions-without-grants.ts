import type { MigrationInterface, QueryRunner } from 'typeorm';
import { VOTERS } from '../1800000004211-approval-votes.ts';

/** An earlier release defined this function with `SET app.system`, which only a superuser can restore from a dump. */
export class FunctionsWithoutGrants1800000004391 implements MigrationInterface {
  name = 'FunctionsWithoutGrants1800000004391';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(VOTERS);
  }

  /** The function is the same to its callers. */
  async down(): Promise<void> {}
}
