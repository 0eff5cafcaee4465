import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const ENROLLMENT_KEYS = `
  CREATE TABLE enrollment_keys (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    site_id uuid,
    name varchar(255) NOT NULL CONSTRAINT enrollment_key_has_name CHECK (btrim(name) <> ''),
    key varchar(64) NOT NULL CONSTRAINT enrollment_key_unique UNIQUE,
    usage_count integer NOT NULL DEFAULT 0 CHECK (usage_count >= 0),
    max_usage integer CHECK (max_usage > 0),
    expires_at timestamptz,
    created_by uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT enrollment_key_within_max_usage CHECK (usage_count <= max_usage),
    CONSTRAINT enrollment_key_in_organization_of_partner FOREIGN KEY (org_id, partner_id) REFERENCES organizations (id, partner_id),
    CONSTRAINT enrollment_key_site_in_organization FOREIGN KEY (site_id, org_id) REFERENCES site_placements (site_id, org_id) ON DELETE CASCADE
  );
  CREATE INDEX enrollment_keys_of_partner ON enrollment_keys (partner_id, id);
  CREATE INDEX enrollment_keys_of_organization ON enrollment_keys (org_id, id);
  CREATE INDEX enrollment_keys_of_site ON enrollment_keys (site_id) WHERE site_id IS NOT NULL;`;

const DEVICES = `
  CREATE TABLE devices (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    site_id uuid NOT NULL,
    hostname varchar(255) NOT NULL CONSTRAINT device_has_hostname CHECK (btrim(hostname) <> ''),
    display_name varchar(255),
    os_type varchar(50) NOT NULL,
    os_version varchar(100),
    agent_version varchar(50),
    serial_number varchar(255),
    status text NOT NULL DEFAULT 'online' CONSTRAINT device_status_is_known CHECK (status IN ('online', 'offline', 'maintenance', 'decommissioned')),
    agent_token_hash char(64) CONSTRAINT device_agent_token_unique UNIQUE,
    last_seen_at timestamptz,
    decommissioned_at timestamptz,
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT device_in_organization UNIQUE (id, org_id),
    CONSTRAINT device_decommissioned_has_no_token CHECK (status <> 'decommissioned' OR agent_token_hash IS NULL),
    CONSTRAINT device_in_organization_of_partner FOREIGN KEY (org_id, partner_id) REFERENCES organizations (id, partner_id),
    CONSTRAINT device_site_in_organization FOREIGN KEY (site_id, org_id) REFERENCES site_placements (site_id, org_id)
  );
  CREATE INDEX devices_by_hostname ON devices (partner_id, hostname, id) INCLUDE (org_id, site_id, status);
  CREATE INDEX devices_of_organization ON devices (org_id, hostname, id) INCLUDE (partner_id, site_id, status);
  CREATE INDEX devices_of_site ON devices (site_id, hostname, id) INCLUDE (partner_id, org_id, status);
  CREATE INDEX devices_of_all_partners ON devices (hostname, id);
  CREATE TRIGGER devices_version BEFORE UPDATE ON devices FOR EACH ROW EXECUTE FUNCTION grow_version();`;

const GROUPS = `
  CREATE TABLE device_groups (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    name varchar(255) NOT NULL CONSTRAINT device_group_has_name CHECK (btrim(name) <> ''),
    description varchar(1000),
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT device_group_name_unique UNIQUE (org_id, name),
    CONSTRAINT device_group_of_organization UNIQUE (id, org_id),
    CONSTRAINT device_group_in_organization_of_partner FOREIGN KEY (org_id, partner_id) REFERENCES organizations (id, partner_id)
  );
  CREATE INDEX device_groups_by_name ON device_groups (partner_id, name, id) INCLUDE (org_id);
  CREATE TRIGGER device_groups_version BEFORE UPDATE ON device_groups FOR EACH ROW EXECUTE FUNCTION grow_version();

  -- As site_placements: where a group may have members from.
  CREATE TABLE device_group_placements (
    group_id uuid NOT NULL REFERENCES device_groups (id) ON DELETE CASCADE,
    org_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    PRIMARY KEY (group_id, org_id)
  );
  CREATE FUNCTION place_device_group() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO device_group_placements (group_id, org_id, partner_id) VALUES (NEW.id, NEW.org_id, NEW.partner_id) ON CONFLICT DO NOTHING; RETURN NEW; END $$;
  CREATE TRIGGER device_groups_placement AFTER INSERT ON device_groups FOR EACH ROW EXECUTE FUNCTION place_device_group();

  CREATE TABLE device_group_members (
    group_id uuid NOT NULL,
    device_id uuid NOT NULL,
    org_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    PRIMARY KEY (group_id, device_id),
    CONSTRAINT member_group_in_organization FOREIGN KEY (group_id, org_id) REFERENCES device_group_placements (group_id, org_id) ON DELETE CASCADE,
    CONSTRAINT member_device_in_organization FOREIGN KEY (device_id, org_id) REFERENCES devices (id, org_id) ON UPDATE CASCADE ON DELETE CASCADE
  );
  CREATE INDEX device_group_members_of_device ON device_group_members (device_id);`;

const POLICIES = ['enrollment_keys', 'devices', 'device_groups', 'device_group_placements', 'device_group_members']
  .map((table) => tenantPolicy({ table, orgColumn: 'org_id' }))
  .join('\n');

export class Devices1800000001002 implements MigrationInterface {
  name = 'Devices1800000001002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query([ENROLLMENT_KEYS, DEVICES, GROUPS, POLICIES].join('\n'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE device_group_members, device_group_placements, device_groups, devices, enrollment_keys; DROP FUNCTION place_device_group',
    );
  }
}
