import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Entries are found by their id and by the thing that they are about, and exports get an address for a browser. */
export class SingleEntriesAndExportLinks1800000000291 implements MigrationInterface {
  name = 'SingleEntriesAndExportLinks1800000000291';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX audit_entries_id ON audit_entries (id);
      CREATE INDEX audit_entries_resource ON audit_entries (resource_id, timestamp DESC, id DESC);

      CREATE TABLE export_links (
        token_hash text PRIMARY KEY,
        partner_id uuid,
        session_id uuid,
        api_key_id uuid,
        query jsonb NOT NULL,
        expires_at timestamptz NOT NULL DEFAULT now() + interval '60 seconds',
        CONSTRAINT export_link_has_an_author CHECK ((session_id IS NULL) <> (api_key_id IS NULL))
      );
      CREATE INDEX export_links_expiry ON export_links (expires_at);
      ${tenantPolicy({ table: 'export_links', orgColumn: null })}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE export_links; DROP INDEX audit_entries_id, audit_entries_resource');
  }
}
