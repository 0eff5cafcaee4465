import { Baseline, tenantPolicy } from '@gatehouse/database';
import { DEFINITION_SCHEMA } from './definitions.ts';
import { DEVICE_SCHEMA } from './devices.ts';

const TRIGGERS = `
  -- No statement can forget that a change makes a newer version.
  CREATE FUNCTION grow_version() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN NEW.version := OLD.version + 1; NEW.updated_at := now(); NEW.created_at := OLD.created_at; RETURN NEW; END $$;
  CREATE FUNCTION count_for_partner() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO partner_counters (partner_id) VALUES (NEW.id); RETURN NEW; END $$;
  CREATE FUNCTION place_site() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO site_placements (site_id, org_id, partner_id) VALUES (NEW.id, NEW.org_id, NEW.partner_id)
        ON CONFLICT DO NOTHING;
      RETURN NEW;
    END $$;`;

const PARTNERS = `
  CREATE TABLE partners (
    id uuid PRIMARY KEY,
    name varchar(255) NOT NULL CONSTRAINT partner_has_name CHECK (btrim(name) <> ''),
    slug varchar(100) NOT NULL CONSTRAINT partner_slug_is_url_safe CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
    type text NOT NULL DEFAULT 'msp'
      CONSTRAINT partner_type_is_known CHECK (type IN ('msp', 'enterprise', 'internal')),
    plan text NOT NULL DEFAULT 'free'
      CONSTRAINT partner_plan_is_known
      CHECK (plan IN ('free', 'starter', 'community', 'pro', 'enterprise', 'unlimited')),
    status text NOT NULL DEFAULT 'pending'
      CONSTRAINT partner_status_is_known CHECK (status IN ('pending', 'active', 'suspended', 'churned')),
    max_organizations integer CHECK (max_organizations >= 0),
    max_devices integer CHECK (max_devices >= 0),
    settings jsonb NOT NULL DEFAULT '{}',
    sso_config jsonb,
    billing_email varchar(255),
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    deleted_at timestamptz
  );
  CREATE UNIQUE INDEX partner_slug_unique ON partners (slug) WHERE deleted_at IS NULL;
  CREATE INDEX partners_by_name ON partners (name, id) WHERE deleted_at IS NULL;
  CREATE TRIGGER partners_version BEFORE UPDATE ON partners FOR EACH ROW EXECUTE FUNCTION grow_version();
  ${tenantPolicy({ table: 'partners', partnerColumn: 'id', orgColumn: null })}

  -- Apart from the partner, so that counting makes no new version of it; its row is the lock under which a cap holds.
  CREATE TABLE partner_counters (
    partner_id uuid PRIMARY KEY REFERENCES partners (id) ON DELETE CASCADE,
    organizations integer NOT NULL DEFAULT 0 CHECK (organizations >= 0),
    last_position integer
  );
  CREATE TRIGGER partners_counters AFTER INSERT ON partners FOR EACH ROW EXECUTE FUNCTION count_for_partner();
  ${tenantPolicy({ table: 'partner_counters', orgColumn: null })}`;

const ORGANIZATIONS = `
  CREATE TABLE organizations (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL REFERENCES partners (id),
    name varchar(255) NOT NULL CONSTRAINT organization_has_name CHECK (btrim(name) <> ''),
    folded_name text GENERATED ALWAYS AS (folded_name(name)) STORED,
    slug varchar(100) NOT NULL
      CONSTRAINT organization_slug_is_url_safe CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
    type text NOT NULL DEFAULT 'customer'
      CONSTRAINT organization_type_is_known CHECK (type IN ('customer', 'internal')),
    status text NOT NULL DEFAULT 'active' CONSTRAINT organization_status_is_known
      CHECK (status IN ('active', 'suspended', 'trial', 'churned', 'offboarding', 'merging', 'archived', 'purging')),
    max_devices integer CHECK (max_devices >= 0),
    settings jsonb NOT NULL DEFAULT '{}',
    sso_config jsonb,
    billing_contact jsonb,
    contract_start timestamptz,
    contract_end timestamptz,
    -- 0 until the partner chooses an order; then lists of its callers go by it.
    position integer NOT NULL DEFAULT 0,
    archived_at timestamptz,
    purge_at timestamptz,
    merged_into_id uuid REFERENCES organizations (id),
    hidden boolean NOT NULL GENERATED ALWAYS AS (deleted_at IS NOT NULL OR status IN ('archived', 'purging')) STORED,
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    deleted_at timestamptz,
    CONSTRAINT organization_belongs_to_partner UNIQUE (id, partner_id)
  );
  CREATE UNIQUE INDEX organization_slug_unique ON organizations (partner_id, slug) WHERE deleted_at IS NULL;
  CREATE INDEX organizations_in_order ON organizations (partner_id, position, name, id) WHERE NOT hidden;
  CREATE INDEX organizations_by_name ON organizations (partner_id, name, id) WHERE NOT hidden;
  CREATE INDEX organizations_of_all_partners ON organizations (name, id) WHERE NOT hidden;
  CREATE INDEX organizations_hidden ON organizations (partner_id, id) WHERE hidden;
  CREATE INDEX organizations_to_purge ON organizations (purge_at) WHERE status = 'archived' AND purge_at IS NOT NULL;
  CREATE TRIGGER organizations_version BEFORE UPDATE ON organizations FOR EACH ROW EXECUTE FUNCTION grow_version();
  ${tenantPolicy({ table: 'organizations', orgColumn: 'id', large: true })}`;

const SITES = `
  CREATE TABLE sites (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    name varchar(255) NOT NULL CONSTRAINT site_has_name CHECK (btrim(name) <> ''),
    folded_name text GENERATED ALWAYS AS (folded_name(name)) STORED,
    timezone varchar(50) NOT NULL DEFAULT 'UTC',
    address jsonb,
    contact jsonb,
    settings jsonb NOT NULL DEFAULT '{}',
    -- The site for devices that name none; created on demand, one for each organisation.
    is_default boolean NOT NULL DEFAULT false,
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT site_in_organization_of_partner
      FOREIGN KEY (org_id, partner_id) REFERENCES organizations (id, partner_id)
  );
  CREATE INDEX sites_by_name ON sites (partner_id, name, id) INCLUDE (org_id);
  CREATE INDEX sites_of_organization ON sites (org_id, name, id);
  CREATE INDEX sites_of_all_partners ON sites (name, id);
  CREATE UNIQUE INDEX organization_one_default_site ON sites (org_id) WHERE is_default;
  CREATE TRIGGER sites_version BEFORE UPDATE ON sites FOR EACH ROW EXECUTE FUNCTION grow_version();
  ${tenantPolicy({ table: 'sites', orgColumn: 'org_id', large: true })}

  -- Where a site may be referred to from: its organisation, and during a merge also the one that it comes from, so that
  -- "site of the same organisation" stays a foreign key while rows move in batches.
  CREATE TABLE site_placements (
    site_id uuid NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
    org_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    PRIMARY KEY (site_id, org_id),
    FOREIGN KEY (org_id, partner_id) REFERENCES organizations (id, partner_id)
  );
  CREATE INDEX site_placements_of_organization ON site_placements (org_id);
  CREATE TRIGGER sites_placement AFTER INSERT ON sites FOR EACH ROW EXECUTE FUNCTION place_site();
  ${tenantPolicy({ table: 'site_placements', orgColumn: 'org_id' })}`;

const CONTACTS = `
  CREATE TABLE contacts (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    site_id uuid,
    name varchar(255),
    folded_name text GENERATED ALWAYS AS (folded_name(name)) STORED,
    email varchar(320) CONSTRAINT contact_email_is_lower_case CHECK (email = lower(email)),
    phone varchar(64),
    mobile varchar(64),
    title varchar(255),
    roles text[] NOT NULL DEFAULT '{}' CONSTRAINT contact_roles_are_known
      CHECK (roles <@ ARRAY['billing', 'technical', 'escalation', 'admin', 'site', 'after_hours', 'portal']),
    is_primary boolean NOT NULL DEFAULT false,
    notes varchar(5000),
    external_system varchar(64),
    external_id varchar(255),
    version bigint NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT contact_has_identifier CHECK (coalesce(btrim(name), '') <> '' OR coalesce(btrim(email), '') <> ''
      OR coalesce(btrim(phone), '') <> '' OR coalesce(btrim(mobile), '') <> ''),
    CONSTRAINT contact_in_organization_of_partner
      FOREIGN KEY (org_id, partner_id) REFERENCES organizations (id, partner_id),
    CONSTRAINT contact_site_in_organization FOREIGN KEY (site_id, org_id) REFERENCES site_placements (site_id, org_id)
  );
  CREATE UNIQUE INDEX contact_one_primary_per_scope ON contacts (org_id, site_id) NULLS NOT DISTINCT WHERE is_primary;
  CREATE UNIQUE INDEX contact_external_id_unique ON contacts (org_id, external_system, external_id)
    WHERE external_id IS NOT NULL;
  CREATE INDEX contacts_by_name ON contacts (org_id, name, id);
  CREATE INDEX contacts_by_folded_name ON contacts (org_id, folded_name);
  CREATE INDEX contacts_by_email ON contacts (org_id, email) WHERE email IS NOT NULL;
  CREATE INDEX contacts_of_site ON contacts (site_id) WHERE site_id IS NOT NULL;
  CREATE TRIGGER contacts_version BEFORE UPDATE ON contacts FOR EACH ROW EXECUTE FUNCTION grow_version();
  ${tenantPolicy({ table: 'contacts', orgColumn: 'org_id' })}`;

const RUNS = `
  -- A merge or a purge across all services: where it stands, and what it goes back to when it fails.
  CREATE TABLE organization_runs (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    survivor_id uuid,
    kind text NOT NULL CHECK (kind IN ('merge', 'purge')),
    state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'completed', 'failed')),
    step text NOT NULL CHECK (step IN ('move', 'finish', 'rollback', 'purge')),
    participants text[] NOT NULL,
    -- By service: rows done and whether it finished the step.
    progress jsonb NOT NULL DEFAULT '{}',
    total bigint NOT NULL DEFAULT 0,
    tables jsonb NOT NULL DEFAULT '[]',
    warnings jsonb NOT NULL DEFAULT '[]',
    status_before text NOT NULL,
    error text,
    started_by jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    CONSTRAINT run_of_organization_of_partner FOREIGN KEY (org_id, partner_id) REFERENCES organizations (id, partner_id)
  );
  CREATE UNIQUE INDEX organization_one_run ON organization_runs (org_id) WHERE state IN ('queued', 'running');
  CREATE INDEX organization_runs_of_survivor ON organization_runs (survivor_id) WHERE state IN ('queued', 'running');
  ${tenantPolicy({ table: 'organization_runs', orgColumn: null })}`;

export class Baseline1800000004530 extends Baseline {
  readonly name = 'Baseline1800000004530';
  readonly replaces = 'ConfirmedReturns1800000001302';
  protected readonly schema = [
    TRIGGERS,
    PARTNERS,
    ORGANIZATIONS,
    SITES,
    CONTACTS,
    RUNS,
    ...DEVICE_SCHEMA,
    ...DEFINITION_SCHEMA,
  ];
}
