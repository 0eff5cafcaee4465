import { tenantPolicy } from '@gatehouse/database';

const CONFIGURATION_POLICIES = `
  CREATE TABLE configuration_policies (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL REFERENCES partners (id),
    -- Null: the policy applies across all organisations of the partner.
    org_id uuid,
    name varchar(255) NOT NULL CONSTRAINT configuration_policy_has_name CHECK (btrim(name) <> ''),
    features jsonb NOT NULL DEFAULT '{}',
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT configuration_policy_in_organization_of_partner
      FOREIGN KEY (org_id, partner_id) REFERENCES organizations (id, partner_id)
  );
  CREATE INDEX configuration_policies_by_name ON configuration_policies (partner_id, name, id);
  CREATE INDEX configuration_policies_of_organization ON configuration_policies (org_id) WHERE org_id IS NOT NULL;
  CREATE TRIGGER configuration_policies_version BEFORE UPDATE ON configuration_policies
    FOR EACH ROW EXECUTE FUNCTION grow_version();
  ${tenantPolicy({ table: 'configuration_policies', orgColumn: 'org_id', sharedByPartner: true })}

  CREATE TABLE configuration_policy_assignments (
    id uuid PRIMARY KEY,
    policy_id uuid NOT NULL REFERENCES configuration_policies (id) ON DELETE CASCADE,
    partner_id uuid NOT NULL,
    org_id uuid,
    level text NOT NULL,
    site_id uuid REFERENCES sites (id) ON DELETE CASCADE,
    group_id uuid REFERENCES device_groups (id) ON DELETE CASCADE,
    device_id uuid REFERENCES devices (id) ON DELETE CASCADE,
    target_id uuid NOT NULL GENERATED ALWAYS AS (CASE level WHEN 'partner' THEN partner_id
      WHEN 'organization' THEN org_id WHEN 'site' THEN site_id WHEN 'group' THEN group_id
      WHEN 'device' THEN device_id END) STORED,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT assignment_names_its_target
      CHECK (num_nonnulls(site_id, group_id, device_id) = (level IN ('site', 'group', 'device'))::int
        AND (org_id IS NULL) = (level = 'partner')),
    CONSTRAINT assignment_once_per_target UNIQUE (policy_id, target_id),
    CONSTRAINT assignment_in_organization_of_partner
      FOREIGN KEY (org_id, partner_id) REFERENCES organizations (id, partner_id)
  );
  CREATE INDEX configuration_policy_assignments_of_target ON configuration_policy_assignments (target_id);
  CREATE INDEX configuration_policy_assignments_of_organization ON configuration_policy_assignments (org_id);
  ${tenantPolicy({ table: 'configuration_policy_assignments', orgColumn: 'org_id', sharedByPartner: true })}`;

const CUSTOM_FIELDS = `
  CREATE TABLE custom_fields (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL REFERENCES partners (id),
    org_id uuid,
    name varchar(255) NOT NULL CONSTRAINT custom_field_has_name CHECK (btrim(name) <> ''),
    field_key varchar(100) NOT NULL CONSTRAINT custom_field_key_form CHECK (field_key ~ '^[A-Za-z][A-Za-z0-9_]*$'),
    type text NOT NULL
      CONSTRAINT custom_field_type_is_known CHECK (type IN ('text', 'number', 'boolean', 'dropdown', 'date')),
    options text[] NOT NULL DEFAULT '{}'
      CONSTRAINT custom_field_options_for_dropdowns CHECK ((type = 'dropdown') = (cardinality(options) > 0)),
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT custom_field_key_unique UNIQUE NULLS NOT DISTINCT (partner_id, org_id, field_key),
    CONSTRAINT custom_field_in_organization_of_partner
      FOREIGN KEY (org_id, partner_id) REFERENCES organizations (id, partner_id)
  );
  CREATE INDEX custom_fields_by_name ON custom_fields (partner_id, name, id);
  CREATE INDEX custom_fields_of_organization ON custom_fields (org_id) WHERE org_id IS NOT NULL;
  CREATE TRIGGER custom_fields_version BEFORE UPDATE ON custom_fields FOR EACH ROW EXECUTE FUNCTION grow_version();
  ${tenantPolicy({ table: 'custom_fields', orgColumn: 'org_id', sharedByPartner: true })}

  CREATE TABLE custom_field_values (
    device_id uuid NOT NULL,
    field_id uuid NOT NULL REFERENCES custom_fields (id) ON DELETE CASCADE,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    value jsonb NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (device_id, field_id),
    CONSTRAINT value_device_in_organization
      FOREIGN KEY (device_id, org_id) REFERENCES devices (id, org_id) ON UPDATE CASCADE ON DELETE CASCADE
  );
  CREATE INDEX custom_field_values_of_field ON custom_field_values (field_id);
  ${tenantPolicy({ table: 'custom_field_values', orgColumn: 'org_id' })}

  -- Which device a device of another system is; noted at the first import, so that the next one finds it exactly. The
  -- id that the other system gave is valid only within the organisation whose import recorded it.
  CREATE TABLE device_sources (
    partner_id uuid NOT NULL,
    source_system varchar(64) NOT NULL,
    source_device_id varchar(255) NOT NULL,
    device_id uuid NOT NULL,
    org_id uuid NOT NULL,
    partner_wide boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (org_id, source_system, source_device_id),
    CONSTRAINT source_device_in_organization
      FOREIGN KEY (device_id, org_id) REFERENCES devices (id, org_id) ON UPDATE CASCADE ON DELETE CASCADE
  );
  CREATE INDEX device_sources_of_device ON device_sources (device_id);
  CREATE INDEX device_sources_of_partner ON device_sources (partner_id, source_system, source_device_id);
  ${tenantPolicy({ table: 'device_sources', orgColumn: 'org_id' })}

  -- In a merge the survivor's own link wins; without this the moved device would violate the key.
  CREATE FUNCTION drop_taken_sources() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM device_sources s WHERE s.device_id = OLD.id AND s.org_id = OLD.org_id AND EXISTS (
        SELECT FROM device_sources o WHERE o.org_id = NEW.org_id AND o.source_system = s.source_system
          AND o.source_device_id = s.source_device_id);
      RETURN NEW;
    END $$;
  CREATE TRIGGER devices_leave_taken_sources BEFORE UPDATE OF org_id ON devices
    FOR EACH ROW WHEN (OLD.org_id IS DISTINCT FROM NEW.org_id) EXECUTE FUNCTION drop_taken_sources();`;

const SCRIPTS = `
  CREATE TABLE scripts (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL REFERENCES partners (id),
    -- Null: one copy serves every organisation of the partner.
    org_id uuid,
    name varchar(255) NOT NULL CONSTRAINT script_has_name CHECK (btrim(name) <> ''),
    folded_name text GENERATED ALWAYS AS (folded_name(name)) STORED,
    description varchar(2000),
    category varchar(100),
    language varchar(50) NOT NULL,
    content text NOT NULL,
    run_as text NOT NULL DEFAULT 'system' CONSTRAINT script_run_as_is_known CHECK (run_as IN ('system', 'user')),
    parameters jsonb NOT NULL DEFAULT '[]',
    exit_code_severity_mapping jsonb NOT NULL DEFAULT '{}',
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT script_name_unique UNIQUE NULLS NOT DISTINCT (partner_id, org_id, name),
    CONSTRAINT script_in_organization_of_partner
      FOREIGN KEY (org_id, partner_id) REFERENCES organizations (id, partner_id)
  );
  CREATE INDEX scripts_by_name ON scripts (partner_id, name, id);
  CREATE INDEX scripts_of_organization ON scripts (org_id) WHERE org_id IS NOT NULL;
  CREATE TRIGGER scripts_version BEFORE UPDATE ON scripts FOR EACH ROW EXECUTE FUNCTION grow_version();
  ${tenantPolicy({ table: 'scripts', orgColumn: 'org_id', sharedByPartner: true })}`;

/** They refer to devices and groups. */
export const DEFINITION_SCHEMA = [CONFIGURATION_POLICIES, CUSTOM_FIELDS, SCRIPTS];
