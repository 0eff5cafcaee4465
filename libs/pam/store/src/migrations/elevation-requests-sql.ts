import { ELEVATION_STATUSES, FLOW_TYPES } from '@gatehouse/contracts-pam';

export const oneOf = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/**
 * Functions of the owner create and drop partitions, because the runtime role may not create tables; tables created by
 * the owner get the default grants.
 */
const PARTITION_FUNCTIONS = `
  CREATE FUNCTION uuid_from_instant(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT (lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid $$;

  CREATE FUNCTION elevation_partition_protect(partition text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', partition);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', partition);
    EXECUTE format('CREATE POLICY %I ON %I USING ((SELECT app_is_system()) OR (partner_id = (SELECT app_partner_id()) AND ((SELECT app_all_orgs()) OR org_id = ANY ((SELECT app_org_ids())::uuid[]))))', partition || '_tenant', partition);
  END $$;

  -- Attached, not created as a partition: attaching does not lock out readers and writers of the parent.
  CREATE FUNCTION elevation_partitions_ahead(months integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DECLARE
    first_day timestamptz;
    partition text;
    made integer := 0;
  BEGIN
    FOR step IN 0..months LOOP
      first_day := date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' + make_interval(months => step);
      partition := 'elevation_requests_' || to_char(first_day AT TIME ZONE 'UTC', 'YYYY_MM');
      CONTINUE WHEN to_regclass(partition) IS NOT NULL;
      EXECUTE format('CREATE TABLE %I (LIKE elevation_requests INCLUDING ALL)', partition);
      PERFORM elevation_partition_protect(partition);
      EXECUTE format('ALTER TABLE elevation_requests ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', partition, uuid_from_instant(first_day), uuid_from_instant(first_day + interval '1 month'));
      made := made + 1;
    END LOOP;
    RETURN made;
  END $$;

  CREATE FUNCTION elevation_partitions_drop(months_kept integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DECLARE
    oldest text := 'elevation_requests_' || to_char((now() AT TIME ZONE 'UTC') - make_interval(months => months_kept), 'YYYY_MM');
    partition text;
    dropped integer := 0;
  BEGIN
    FOR partition IN SELECT relname FROM pg_class WHERE relname ~ '^elevation_requests_\\d{4}_\\d{2}$' AND relkind = 'r' AND relname < oldest ORDER BY relname LOOP
      EXECUTE format('DELETE FROM approvals a USING %I r WHERE r.id = a.elevation_request_id', partition);
      EXECUTE format('DROP TABLE %I', partition);
      dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
  END $$;
`;

/**
 * Elevation requests, partitioned by month. An id is a UUID v7, so a month is a range of ids and the primary key finds
 * its partition. The organisation is that of the report; the site is the device's current one (device_ref).
 */
export const ELEVATION_REQUESTS = `
  CREATE TABLE elevation_requests (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    device_id uuid NOT NULL,
    device_hostname text NOT NULL,
    flow_type text NOT NULL CONSTRAINT elevation_request_flow_known CHECK (flow_type IN (${oneOf(FLOW_TYPES)})),
    status text NOT NULL CONSTRAINT elevation_request_status_known CHECK (status IN (${oneOf(ELEVATION_STATUSES)})),
    requested_at timestamptz NOT NULL DEFAULT now(),
    subject_username text,
    target_executable_path text,
    target_executable_hash text,
    target_executable_signer text,
    target_executable_signer_thumbprint text,
    target_executable_publisher text,
    pid bigint,
    parent_image text,
    command_line text,
    ad_groups text[],
    reason text,
    observed_at timestamptz,
    requested_by uuid,
    requested_by_name text,
    tool_name text,
    tool_action text,
    tool_input jsonb,
    risk_tier smallint,
    action_digest text,
    timeout_at timestamptz,
    rulebook_version bigint,
    decision_source text,
    decided_at timestamptz,
    matched_policy_id uuid,
    matched_policy_name text,
    pam_rule_id uuid,
    pam_rule_name text,
    decision_reason text,
    approved_by uuid,
    approved_by_name text,
    denied_by uuid,
    denied_by_name text,
    revoked_by uuid,
    revoked_by_name text,
    revoke_reason text,
    pending_until timestamptz,
    duration_minutes integer,
    expires_at timestamptz,
    actuated_at timestamptz,
    ended_at timestamptz,
    CONSTRAINT elevation_request_pending_ends CHECK (status <> 'pending' OR pending_until IS NOT NULL),
    CONSTRAINT elevation_request_window_ends CHECK (status NOT IN ('approved', 'auto_approved', 'actuating') OR expires_at IS NOT NULL)
  ) PARTITION BY RANGE (id);
  CREATE INDEX elevation_request_by_org ON elevation_requests (org_id, id);
  CREATE INDEX elevation_request_by_partner ON elevation_requests (partner_id, id);
  CREATE INDEX elevation_request_by_device ON elevation_requests (device_id, id);
  CREATE INDEX elevation_request_open ON elevation_requests (status, org_id, id) WHERE status IN ('pending', 'approved', 'auto_approved', 'actuating');
  ${PARTITION_FUNCTIONS}
`;

/** Ids outside the months created in advance, such as imported history, go into the default partition. */
export const FIRST_PARTITIONS = `
  CREATE TABLE elevation_requests_default PARTITION OF elevation_requests DEFAULT;
  SELECT elevation_partition_protect('elevation_requests_default');
  SELECT elevation_partitions_ahead(3);
`;
