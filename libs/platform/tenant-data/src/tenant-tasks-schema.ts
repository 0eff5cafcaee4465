import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The tables in which a service records the requested steps of merges and purges, and the rows that it moved, so that a
 * rollback can move them back.
 */
export class TenantTasksSchema1700000000002 implements MigrationInterface {
  name = 'TenantTasksSchema1700000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tenant_tasks (
        run_id uuid NOT NULL,
        step text NOT NULL,
        source_id uuid NOT NULL,
        target_id uuid,
        rows_done bigint NOT NULL DEFAULT 0,
        attempts integer NOT NULL DEFAULT 0,
        leased_until timestamptz NOT NULL DEFAULT '-infinity',
        created_at timestamptz NOT NULL DEFAULT now(),
        done_at timestamptz,
        PRIMARY KEY (run_id, step)
      );
      CREATE INDEX tenant_tasks_open ON tenant_tasks (created_at) WHERE done_at IS NULL;
      CREATE TABLE tenant_moves (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        run_id uuid NOT NULL,
        table_name text NOT NULL,
        row_key jsonb NOT NULL,
        before jsonb NOT NULL
      );
      CREATE INDEX tenant_moves_of_run ON tenant_moves (run_id, table_name, id);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE tenant_moves, tenant_tasks');
  }
}
