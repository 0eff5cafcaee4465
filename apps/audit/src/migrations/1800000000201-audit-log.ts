import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The log is append-only: the runtime role may insert and select, and triggers on every table reject all other
 * changes, even by the owner. Each month is a partition. Direct access to a partition is revoked, so that it cannot
 * bypass the row security of the parent.
 */
const APPEND_ONLY = `
  CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
  END $$;

  CREATE FUNCTION make_append_only(target regclass) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE grantee regrole;
  BEGIN
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', target);
    FOR grantee IN SELECT DISTINCT a.grantee::regrole FROM pg_class c, aclexplode(c.relacl) a WHERE c.oid = target AND a.grantee <> c.relowner LOOP
      EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON %s FROM %s', target, grantee);
    END LOOP;
  END $$;`;

const TABLES = `
  CREATE TABLE chains (
    chain text PRIMARY KEY,
    partner_id uuid,
    length bigint NOT NULL DEFAULT 0,
    head text NOT NULL,
    checkpointed_length bigint NOT NULL DEFAULT 0,
    CONSTRAINT chain_is_of_its_partner CHECK (chain = coalesce(partner_id::text, 'system'))
  );

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
    action text NOT NULL,
    resource_type text NOT NULL,
    resource_id text,
    resource_name text,
    result text NOT NULL,
    details jsonb NOT NULL,
    ip text,
    user_agent text,
    request_id text,
    previous_hash text NOT NULL,
    hash text NOT NULL,
    PRIMARY KEY (timestamp, id),
    CONSTRAINT entry_is_in_the_chain_of_its_partner CHECK (chain = coalesce(partner_id::text, 'system'))
  ) PARTITION BY RANGE (timestamp);
  CREATE INDEX audit_entries_chain ON audit_entries (chain, sequence);
  CREATE INDEX audit_entries_chain_org ON audit_entries (chain, org_id, sequence);
  CREATE INDEX audit_entries_partner ON audit_entries (partner_id, timestamp DESC, id DESC);
  CREATE INDEX audit_entries_org ON audit_entries (org_id, timestamp DESC, id DESC);

  CREATE TABLE checkpoints (
    chain text NOT NULL REFERENCES chains,
    length bigint NOT NULL,
    partner_id uuid,
    head text NOT NULL,
    signed_at timestamptz NOT NULL,
    jws text NOT NULL,
    PRIMARY KEY (chain, length)
  );

  CREATE TABLE checkpoint_keys (
    kid text PRIMARY KEY,
    public_jwk jsonb NOT NULL,
    sealed_private_jwk text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );

  CREATE TABLE org_ref (
    org_id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    merged_into_id uuid,
    version bigint NOT NULL
  );
  CREATE INDEX org_ref_merged_into ON org_ref (merged_into_id) WHERE merged_into_id IS NOT NULL;`;

const PARTITIONS = `
  CREATE TABLE audit_entries_default PARTITION OF audit_entries DEFAULT;

  CREATE FUNCTION close_partition(target regclass) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE grantee regrole;
  BEGIN
    PERFORM make_append_only(target);
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
    FOR grantee IN SELECT DISTINCT a.grantee::regrole FROM pg_class c, aclexplode(c.relacl) a WHERE c.oid = target AND a.grantee <> c.relowner LOOP
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
        EXECUTE format('CREATE TABLE %I PARTITION OF audit_entries FOR VALUES FROM (%L) TO (%L)', name, month, month + interval '1 month');
        PERFORM close_partition(name::regclass);
      END IF;
    END LOOP;
  END $$;

  SELECT make_append_only('audit_entries'), make_append_only('checkpoints'), close_partition('audit_entries_default');
  SELECT prepare_months();`;

export class AuditLog1800000000201 implements MigrationInterface {
  name = 'AuditLog1800000000201';

  async up(runner: QueryRunner): Promise<void> {
    const policies = [
      tenantPolicy({ table: 'chains', orgColumn: null }),
      tenantPolicy({ table: 'audit_entries', orgColumn: 'org_id' }),
      tenantPolicy({ table: 'checkpoints', orgColumn: null }),
      tenantPolicy({ table: 'org_ref', orgColumn: 'org_id' }),
    ];
    await runner.query([APPEND_ONLY, TABLES, ...policies, PARTITIONS].join('\n'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE audit_entries, checkpoints, chains, checkpoint_keys, org_ref; DROP FUNCTION prepare_months, close_partition, make_append_only, refuse_change',
    );
  }
}
