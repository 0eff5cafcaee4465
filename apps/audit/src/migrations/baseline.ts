import { Baseline, tenantPolicy } from '@gatehouse/database';

/**
 * The log is append-only: the runtime role may insert and select, and triggers on every table reject all other
 * changes, even by the owner.
 */
const APPEND_ONLY = `
  CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
  END $$;

  CREATE FUNCTION make_append_only(target regclass) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE grantee regrole;
  BEGIN
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %s
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', target);
    FOR grantee IN SELECT DISTINCT a.grantee::regrole FROM pg_class c, aclexplode(c.relacl) a
                    WHERE c.oid = target AND a.grantee <> c.relowner LOOP
      EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON %s FROM %s', target, grantee);
    END LOOP;
  END $$;`;

const LOG = `
  CREATE TABLE chains (
    chain text PRIMARY KEY,
    partner_id uuid,
    length bigint NOT NULL DEFAULT 0,
    head text NOT NULL,
    checkpointed_length bigint NOT NULL DEFAULT 0,
    CONSTRAINT chain_is_of_its_partner CHECK (chain = coalesce(partner_id::text, 'system'))
  );
  ${tenantPolicy({ table: 'chains', orgColumn: null })}

  CREATE TABLE audit_entries (
    id uuid NOT NULL,
    chain text NOT NULL REFERENCES chains,
    sequence bigint NOT NULL,
    timestamp timestamptz NOT NULL,
    partner_id uuid,
    org_id uuid,
    site_id uuid,
    actor_type text NOT NULL,
    actor_id text,
    actor_name text,
    -- An API key acts as its owner; what it is called is recorded beside the owner's name.
    actor_label text,
    action text NOT NULL,
    resource_type text NOT NULL,
    resource_id text,
    resource_name text,
    result text NOT NULL,
    details jsonb NOT NULL,
    ip text,
    user_agent text,
    request_id text,
    client_request_id text,
    previous_hash text NOT NULL,
    hash text NOT NULL,
    PRIMARY KEY (timestamp, id),
    CONSTRAINT entry_is_in_the_chain_of_its_partner CHECK (chain = coalesce(partner_id::text, 'system'))
  ) PARTITION BY RANGE (timestamp);
  CREATE INDEX audit_entries_chain ON audit_entries (chain, sequence);
  CREATE INDEX audit_entries_chain_org ON audit_entries (chain, org_id, sequence);
  CREATE INDEX audit_entries_partner ON audit_entries (partner_id, timestamp DESC, id DESC);
  CREATE INDEX audit_entries_org ON audit_entries (org_id, timestamp DESC, id DESC);
  CREATE INDEX audit_entries_id ON audit_entries (id);
  CREATE INDEX audit_entries_resource ON audit_entries (resource_id, timestamp DESC, id DESC);
  ${tenantPolicy({ table: 'audit_entries', orgColumn: 'org_id' })}

  CREATE TABLE checkpoints (
    chain text NOT NULL REFERENCES chains,
    length bigint NOT NULL,
    partner_id uuid,
    head text NOT NULL,
    signed_at timestamptz NOT NULL,
    jws text NOT NULL,
    PRIMARY KEY (chain, length)
  );
  ${tenantPolicy({ table: 'checkpoints', orgColumn: null })}

  CREATE TABLE checkpoint_keys (
    kid text PRIMARY KEY,
    public_jwk jsonb NOT NULL,
    sealed_private_jwk text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );`;

/** The addresses of exports for a browser, and the organisations of tenancy. */
const BESIDE_THE_LOG = `
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
  ${tenantPolicy({ table: 'export_links', orgColumn: null })}

  CREATE TABLE org_ref (
    org_id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    merged_into_id uuid,
    version bigint NOT NULL
  );
  CREATE INDEX org_ref_merged_into ON org_ref (merged_into_id) WHERE merged_into_id IS NOT NULL;
  ${tenantPolicy({ table: 'org_ref', orgColumn: 'org_id' })}`;

/**
 * Each month is a partition. Direct access to a partition is revoked, so that it cannot bypass the row security of the
 * parent; a backup by the owner reads each partition by itself, and without a policy it would find no rows there.
 */
const PARTITIONS = `
  CREATE TABLE audit_entries_default PARTITION OF audit_entries DEFAULT;

  CREATE FUNCTION close_partition(target regclass) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE grantee regrole;
  BEGIN
    PERFORM make_append_only(target);
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
    EXECUTE format('CREATE POLICY entries_in_a_dump ON %s FOR SELECT USING ((SELECT app_is_system()))', target);
    FOR grantee IN SELECT DISTINCT a.grantee::regrole FROM pg_class c, aclexplode(c.relacl) a
                    WHERE c.oid = target AND a.grantee <> c.relowner LOOP
      EXECUTE format('REVOKE ALL ON %s FROM %s', target, grantee);
    END LOOP;
  END $$;

  CREATE FUNCTION prepare_months() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
  DECLARE
    month date;
    name text;
  BEGIN
    PERFORM pg_advisory_xact_lock(4284290);
    FOR ahead IN 0..2 LOOP
      month := date_trunc('month', now()) + make_interval(months => ahead);
      name := 'audit_entries_' || to_char(month, 'YYYY_MM');
      IF to_regclass(name) IS NULL THEN
        EXECUTE format('CREATE TABLE %I PARTITION OF audit_entries FOR VALUES FROM (%L) TO (%L)',
          name, month, month + interval '1 month');
        PERFORM close_partition(name::regclass);
      END IF;
    END LOOP;
  END $$;

  SELECT make_append_only('audit_entries'), make_append_only('checkpoints'), close_partition('audit_entries_default');
  SELECT prepare_months();`;

export class Baseline1800000004530 extends Baseline {
  readonly name = 'Baseline1800000004530';
  readonly replaces = 'LabelsOfApiKeys1800000000501';
  protected readonly schema = [APPEND_ONLY, LOG, BESIDE_THE_LOG, PARTITIONS];
}
