import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const CONTACTS = `
  CREATE TABLE contacts (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    site_id uuid,
    name varchar(255),
    email varchar(320) CONSTRAINT contact_email_is_lower_case CHECK (email = lower(email)),
    phone varchar(64),
    mobile varchar(64),
    title varchar(255),
    roles text[] NOT NULL DEFAULT '{}' CONSTRAINT contact_roles_are_known CHECK (roles <@ ARRAY['billing', 'technical', 'escalation', 'admin', 'site', 'after_hours', 'portal']),
    is_primary boolean NOT NULL DEFAULT false,
    notes varchar(5000),
    external_system varchar(64),
    external_id varchar(255),
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT contact_has_identifier CHECK (coalesce(btrim(name), '') <> '' OR coalesce(btrim(email), '') <> '' OR coalesce(btrim(phone), '') <> '' OR coalesce(btrim(mobile), '') <> ''),
    CONSTRAINT contact_in_organization_of_partner FOREIGN KEY (org_id, partner_id) REFERENCES organizations (id, partner_id),
    CONSTRAINT contact_site_in_organization FOREIGN KEY (site_id, org_id) REFERENCES site_placements (site_id, org_id)
  );
  CREATE UNIQUE INDEX contact_one_primary_per_scope ON contacts (org_id, site_id) NULLS NOT DISTINCT WHERE is_primary;
  CREATE UNIQUE INDEX contact_external_id_unique ON contacts (org_id, external_system, external_id) WHERE external_id IS NOT NULL;
  CREATE INDEX contacts_by_name ON contacts (org_id, name, id);
  CREATE INDEX contacts_by_email ON contacts (org_id, email) WHERE email IS NOT NULL;
  CREATE INDEX contacts_of_site ON contacts (site_id) WHERE site_id IS NOT NULL;
  CREATE TRIGGER contacts_version BEFORE UPDATE ON contacts FOR EACH ROW EXECUTE FUNCTION grow_version();
  ${tenantPolicy({ table: 'contacts', orgColumn: 'org_id' })}`;

export class Contacts1800000001003 implements MigrationInterface {
  name = 'Contacts1800000001003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CONTACTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE contacts');
  }
}
