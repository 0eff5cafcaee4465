import { tenantPolicy } from '@gatehouse/database';
import { TENANT_REFS } from '@gatehouse/tenant-data';

/** Read models of other services, each row with the version last applied. */
export const READ_MODELS = `
  ${TENANT_REFS}
  CREATE INDEX org_ref_by_partner ON org_ref (partner_id);
  CREATE INDEX org_ref_hidden ON org_ref (partner_id) WHERE deleted OR status IN ('archived', 'purging');

  -- Device groups, including empty ones.
  CREATE TABLE group_ref (
    group_id uuid PRIMARY KEY,
    org_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    name text NOT NULL,
    deleted boolean NOT NULL,
    version bigint NOT NULL
  );
  ${tenantPolicy({ table: 'group_ref', orgColumn: 'org_id' })}

  CREATE TABLE device_ref (
    device_id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    site_id uuid NOT NULL,
    group_ids uuid[] NOT NULL,
    hostname text NOT NULL,
    status text NOT NULL,
    agent_token_hash text,
    previous_token_hash text,
    previous_token_until timestamptz,
    agent_protocol integer NOT NULL DEFAULT 1,
    -- Who moved it, or changed its groups.
    edits jsonb NOT NULL DEFAULT '[]',
    deleted boolean NOT NULL,
    version bigint NOT NULL
  );
  CREATE INDEX device_ref_by_token ON device_ref (agent_token_hash) WHERE agent_token_hash IS NOT NULL;
  CREATE INDEX device_ref_by_previous_token ON device_ref (previous_token_hash) WHERE previous_token_hash IS NOT NULL;
  CREATE INDEX device_ref_by_site ON device_ref (site_id);
  ${tenantPolicy({ table: 'device_ref', orgColumn: 'org_id' })}

  CREATE TABLE technician_ref (
    user_id uuid PRIMARY KEY,
    name text NOT NULL,
    email text NOT NULL,
    active boolean NOT NULL,
    version bigint NOT NULL
  );
  CREATE TABLE technician_reach (
    user_id uuid NOT NULL REFERENCES technician_ref ON DELETE CASCADE,
    position integer NOT NULL,
    level text NOT NULL,
    partner_id uuid,
    all_orgs boolean NOT NULL,
    org_ids uuid[] NOT NULL,
    site_ids uuid[] NOT NULL,
    permissions text[] NOT NULL,
    PRIMARY KEY (user_id, position)
  );
  CREATE INDEX technician_reach_by_partner ON technician_reach (partner_id);
  ${tenantPolicy({ table: 'technician_reach', orgColumn: null })}

  CREATE TABLE push_reach (
    user_id uuid PRIMARY KEY,
    subscriptions integer NOT NULL,
    version bigint NOT NULL
  );`;
