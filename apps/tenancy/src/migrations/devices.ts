import { tenantPolicy } from '@gatehouse/database';

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
    -- Machines that return without their token wait for an administrator; no key lets them return (TEN-101).
    allow_reenrollment boolean NOT NULL DEFAULT false,
    expires_at timestamptz,
    created_by uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT enrollment_key_within_max_usage CHECK (usage_count <= max_usage),
    CONSTRAINT enrollment_key_in_organization_of_partner
      FOREIGN KEY (org_id, partner_id) REFERENCES organizations (id, partner_id),
    CONSTRAINT enrollment_key_site_in_organization
      FOREIGN KEY (site_id, org_id) REFERENCES site_placements (site_id, org_id) ON DELETE CASCADE
  );
  CREATE INDEX enrollment_keys_of_partner ON enrollment_keys (partner_id, id);
  CREATE INDEX enrollment_keys_of_organization ON enrollment_keys (org_id, id);
  CREATE INDEX enrollment_keys_of_site ON enrollment_keys (site_id) WHERE site_id IS NOT NULL;
  ${tenantPolicy({ table: 'enrollment_keys', orgColumn: 'org_id' })}`;

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
    status text NOT NULL DEFAULT 'online'
      CONSTRAINT device_status_is_known
      CHECK (status IN ('online', 'offline', 'maintenance', 'awaiting_confirmation', 'decommissioned')),
    -- A decommissioned device keeps the hash, so that its agent gets 403 and not the 401 of an unknown token.
    agent_token_hash char(64) CONSTRAINT device_agent_token_unique UNIQUE,
    previous_token_hash char(64),
    previous_token_until timestamptz,
    agent_protocol integer NOT NULL DEFAULT 1,
    last_seen_at timestamptz,
    decommissioned_at timestamptz,
    returns_as uuid,
    -- Of which enrolment the administrators of its owner were told.
    reenrolment_told_at timestamptz,
    -- The release before searches it. Under forced row security no index can serve LIKE: it is not leakproof, so row
    -- security is checked first. One short comparison for each row keeps the search cheap.
    search_text text NOT NULL GENERATED ALWAYS AS
      (lower(hostname || E'\\n' || coalesce(display_name, '') || E'\\n' || coalesce(serial_number, ''))) STORED,
    folded_hostname text GENERATED ALWAYS AS (folded_name(hostname)) STORED,
    folded_serial text GENERATED ALWAYS AS (folded_name(serial_number)) STORED,
    folded_search text GENERATED ALWAYS AS (folded_name(hostname) || E'\\n'
      || coalesce(folded_name(display_name), '') || E'\\n' || coalesce(folded_name(serial_number), '')) STORED,
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT device_in_organization UNIQUE (id, org_id),
    CONSTRAINT device_in_organization_of_partner
      FOREIGN KEY (org_id, partner_id) REFERENCES organizations (id, partner_id),
    CONSTRAINT device_site_in_organization FOREIGN KEY (site_id, org_id) REFERENCES site_placements (site_id, org_id)
  );
  CREATE INDEX devices_by_hostname ON devices (partner_id, hostname, id) INCLUDE (org_id, site_id, status);
  CREATE INDEX devices_of_organization ON devices (org_id, hostname, id) INCLUDE (partner_id, site_id, status);
  CREATE INDEX devices_of_site ON devices (site_id, hostname, id) INCLUDE (partner_id, org_id, status);
  CREATE INDEX devices_of_all_partners ON devices (hostname, id);
  CREATE INDEX devices_by_previous_token ON devices (previous_token_hash) WHERE previous_token_hash IS NOT NULL;
  CREATE INDEX devices_by_machine ON devices (org_id, lower(serial_number), lower(hostname))
    WHERE serial_number IS NOT NULL;
  CREATE INDEX devices_by_folded_machine ON devices (org_id, folded_hostname, folded_serial);
  CREATE TRIGGER devices_version BEFORE UPDATE ON devices FOR EACH ROW EXECUTE FUNCTION grow_version();
  ${tenantPolicy({ table: 'devices', orgColumn: 'org_id', large: true })}

  -- When an agent was last seen after its enrolment, which devices.last_seen_at holds. In a table of its own, so that
  -- it makes no new version of the device and does not wait for changes of the device.
  CREATE TABLE device_presence (
    device_id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    last_seen_at timestamptz NOT NULL,
    CONSTRAINT presence_device_in_organization
      FOREIGN KEY (device_id, org_id) REFERENCES devices (id, org_id) ON UPDATE CASCADE ON DELETE CASCADE
  ) WITH (fillfactor = 50);
  CREATE INDEX device_presence_of_organization ON device_presence (org_id);
  ${tenantPolicy({ table: 'device_presence', orgColumn: 'org_id', large: true })}`;

const columns = 'partner_id, org_id, site_id, status';
const COLUMNS_OF_COUNTS =
  'partner_id uuid NOT NULL, org_id uuid NOT NULL, site_id uuid NOT NULL, status text NOT NULL, count bigint NOT NULL';

/** The differences that a statement makes to the device counts, from the rows it added and removed. */
const STEPS = {
  insert: `SELECT ${columns}, 1 AS step FROM added`,
  delete: `SELECT ${columns}, -1 AS step FROM removed`,
  update: `SELECT ${columns}, 1 AS step FROM added UNION ALL SELECT ${columns}, -1 FROM removed`,
};
const TRANSITIONS = {
  insert: 'NEW TABLE AS added',
  delete: 'OLD TABLE AS removed',
  update: 'OLD TABLE AS removed NEW TABLE AS added',
};

const counting = (event: keyof typeof STEPS): string => `
  CREATE FUNCTION count_devices_on_${event}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO device_count_deltas SELECT ${columns}, sum(step) FROM (${STEPS[event]}) AS steps
        GROUP BY ${columns} HAVING sum(step) <> 0;
      RETURN NULL;
    END $$;
  CREATE TRIGGER devices_counted_on_${event} AFTER ${event} ON devices REFERENCING ${TRANSITIONS[event]}
    FOR EACH STATEMENT EXECUTE FUNCTION count_devices_on_${event}();`;

/**
 * Exact totals without counting rows: each statement inserts its differences, so writers do not block each other. A
 * periodic task sums them up.
 */
const COUNTS = `
  CREATE TABLE device_counts (${COLUMNS_OF_COUNTS}, PRIMARY KEY (${columns}));
  CREATE TABLE device_count_deltas (${COLUMNS_OF_COUNTS});
  CREATE INDEX device_count_deltas_of_partner ON device_count_deltas (partner_id);
  ${tenantPolicy({ table: 'device_counts', orgColumn: 'org_id', large: true })}
  ${tenantPolicy({ table: 'device_count_deltas', orgColumn: 'org_id', large: true })}
  ${(['insert', 'delete', 'update'] as const).map(counting).join('')}`;

const GROUPS = `
  CREATE TABLE device_groups (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    name varchar(255) NOT NULL CONSTRAINT device_group_has_name CHECK (btrim(name) <> ''),
    description varchar(1000),
    -- Whether a level of the organisation's approval policy names it, and the version of the policy that said so.
    of_level boolean NOT NULL DEFAULT false,
    levels_version bigint NOT NULL DEFAULT 0,
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT device_group_name_unique UNIQUE (org_id, name),
    CONSTRAINT device_group_of_organization UNIQUE (id, org_id),
    CONSTRAINT device_group_in_organization_of_partner
      FOREIGN KEY (org_id, partner_id) REFERENCES organizations (id, partner_id)
  );
  CREATE INDEX device_groups_by_name ON device_groups (partner_id, name, id) INCLUDE (org_id);
  CREATE TRIGGER device_groups_version BEFORE UPDATE ON device_groups FOR EACH ROW EXECUTE FUNCTION grow_version();
  ${tenantPolicy({ table: 'device_groups', orgColumn: 'org_id' })}

  -- As site_placements: where a group may have members from.
  CREATE TABLE device_group_placements (
    group_id uuid NOT NULL REFERENCES device_groups (id) ON DELETE CASCADE,
    org_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    PRIMARY KEY (group_id, org_id)
  );
  CREATE FUNCTION place_device_group() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO device_group_placements (group_id, org_id, partner_id) VALUES (NEW.id, NEW.org_id, NEW.partner_id)
        ON CONFLICT DO NOTHING;
      RETURN NEW;
    END $$;
  CREATE TRIGGER device_groups_placement AFTER INSERT ON device_groups
    FOR EACH ROW EXECUTE FUNCTION place_device_group();
  ${tenantPolicy({ table: 'device_group_placements', orgColumn: 'org_id' })}

  CREATE TABLE device_group_members (
    group_id uuid NOT NULL,
    device_id uuid NOT NULL,
    org_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    PRIMARY KEY (group_id, device_id),
    CONSTRAINT member_group_in_organization
      FOREIGN KEY (group_id, org_id) REFERENCES device_group_placements (group_id, org_id) ON DELETE CASCADE,
    CONSTRAINT member_device_in_organization
      FOREIGN KEY (device_id, org_id) REFERENCES devices (id, org_id) ON UPDATE CASCADE ON DELETE CASCADE
  );
  CREATE INDEX device_group_members_of_device ON device_group_members (device_id);
  ${tenantPolicy({ table: 'device_group_members', orgColumn: 'org_id' })}`;

export const DEVICE_SCHEMA = [ENROLLMENT_KEYS, DEVICES, COUNTS, GROUPS];
