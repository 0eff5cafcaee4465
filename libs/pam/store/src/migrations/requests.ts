import { APPROVAL_STATUSES, ELEVATION_STATUSES, FLOW_TYPES } from '@gatehouse/contracts-pam';
import { acrossTenants, tenantPolicy } from '@gatehouse/database';

export const oneOf = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/**
 * Elevation requests, partitioned by month. An id is a UUID v7, so a month is a range of ids and the primary key finds
 * its partition. The organisation is that of the report; the site is the device's current one (device_ref).
 */
const REQUESTS = `
  CREATE TABLE elevation_requests (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    device_id uuid NOT NULL,
    device_hostname text NOT NULL,
    -- At the time of the request. pam-ingest may learn of a move before device_ref does, and only a later version
    -- proves that the device has left the request's organisation.
    device_version bigint,
    flow_type text NOT NULL CONSTRAINT elevation_request_flow_known CHECK (flow_type IN (${oneOf(FLOW_TYPES)})),
    status text NOT NULL
      CONSTRAINT elevation_request_status_known CHECK (status IN (${oneOf(ELEVATION_STATUSES)})),
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
    ticket text,
    -- Whether it needed one when it was made, so that a later change of the policy does not concern it.
    needs_ticket boolean NOT NULL DEFAULT false,
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
    -- Why it is pending, and which rule or policy took most of the work: they limit the cost of a hostile device.
    held text,
    costliest_id uuid,
    -- What shadow rules would have made of it.
    shadow jsonb,
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
    -- What it demands is stored with it, so that a later change of the policy helps no pending request.
    votes_required smallint NOT NULL DEFAULT 1,
    pending_minutes integer,
    requester_barred boolean NOT NULL DEFAULT false,
    barred_editors uuid[],
    -- The last step of the escalation that was taken for it, and all with their times.
    escalated_step smallint NOT NULL DEFAULT 0,
    escalations jsonb,
    duration_minutes integer,
    expires_at timestamptz,
    actuated_at timestamptz,
    ended_at timestamptz,
    CONSTRAINT elevation_request_pending_ends CHECK (status <> 'pending' OR pending_until IS NOT NULL),
    CONSTRAINT elevation_request_window_ends
      CHECK (status NOT IN ('approved', 'auto_approved', 'actuating') OR expires_at IS NOT NULL)
  ) PARTITION BY RANGE (id);
  CREATE INDEX elevation_request_by_org ON elevation_requests (org_id, id);
  CREATE INDEX elevation_request_by_partner ON elevation_requests (partner_id, id);
  CREATE INDEX elevation_request_by_device ON elevation_requests (device_id, id);
  CREATE INDEX elevation_request_open ON elevation_requests (status, org_id, id)
    WHERE status IN ('pending', 'approved', 'auto_approved', 'actuating');
  -- Paths and names may exceed the size of an index entry, so their hashes are indexed.
  CREATE INDEX elevation_request_by_file ON elevation_requests
    (org_id, hashtextextended(coalesce(target_executable_hash, lower(target_executable_path)), 0), id)
    WHERE target_executable_path IS NOT NULL;
  CREATE INDEX elevation_request_by_user ON elevation_requests
    (org_id, hashtextextended(lower(subject_username), 0), id) WHERE subject_username IS NOT NULL;
  CREATE INDEX elevation_request_by_rule ON elevation_requests (pam_rule_id, id) WHERE pam_rule_id IS NOT NULL;
  CREATE INDEX elevation_request_by_shadow ON elevation_requests USING gin (shadow jsonb_path_ops)
    WHERE shadow IS NOT NULL;
  ${tenantPolicy({ table: 'elevation_requests', orgColumn: 'org_id' })}`;

/**
 * Exact totals for lists, at a cost independent of the history. Each statement on requests inserts its differences as
 * separate rows, so concurrent writers do not contend for one counter; a periodic task sums them up. Total = counts +
 * differences, read in one snapshot.
 */
const COUNTS = `
  CREATE TABLE elevation_counts (
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    flow_type text NOT NULL,
    status text NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (partner_id, org_id, flow_type, status)
  );
  CREATE TABLE elevation_count_deltas (
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    flow_type text NOT NULL,
    status text NOT NULL,
    count bigint NOT NULL
  );
  ${tenantPolicy({ table: 'elevation_counts', orgColumn: 'org_id' })}
  ${tenantPolicy({ table: 'elevation_count_deltas', orgColumn: 'org_id' })}

  CREATE FUNCTION elevation_count_added() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO elevation_count_deltas
    SELECT partner_id, org_id, flow_type, status, count(*) FROM added GROUP BY 1, 2, 3, 4;
    RETURN NULL;
  END $$;
  CREATE FUNCTION elevation_count_removed() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO elevation_count_deltas
    SELECT partner_id, org_id, flow_type, status, -count(*) FROM removed GROUP BY 1, 2, 3, 4;
    RETURN NULL;
  END $$;
  CREATE FUNCTION elevation_count_moved() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO elevation_count_deltas
    SELECT partner_id, org_id, flow_type, status, sum(step) FROM (
      SELECT partner_id, org_id, flow_type, status, 1 AS step FROM added
      UNION ALL SELECT partner_id, org_id, flow_type, status, -1 FROM removed) AS steps
    GROUP BY 1, 2, 3, 4 HAVING sum(step) <> 0;
    RETURN NULL;
  END $$;
  CREATE TRIGGER elevation_counts_insert AFTER INSERT ON elevation_requests
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION elevation_count_added();
  CREATE TRIGGER elevation_counts_delete AFTER DELETE ON elevation_requests
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION elevation_count_removed();
  CREATE TRIGGER elevation_counts_update AFTER UPDATE ON elevation_requests
    REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION elevation_count_moved();`;

const APPROVALS = `
  CREATE TABLE approvals (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    elevation_request_id uuid NOT NULL,
    -- A technician may have only so many approvals of one device open.
    device_id uuid,
    user_id uuid NOT NULL,
    user_name text NOT NULL,
    status text NOT NULL DEFAULT 'pending'
      CONSTRAINT approval_status_known CHECK (status IN (${oneOf(APPROVAL_STATUSES)})),
    reason text,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    decided_at timestamptz,
    CONSTRAINT approval_once_per_technician UNIQUE (elevation_request_id, user_id)
  );
  CREATE INDEX approval_by_user ON approvals (user_id, id);
  CREATE INDEX approval_pending ON approvals (expires_at) WHERE status = 'pending';
  CREATE INDEX approval_open_by_device ON approvals (device_id, user_id) WHERE status = 'pending';
  ${tenantPolicy({ table: 'approvals', orgColumn: 'org_id' })}

  -- Pending requests that still need approvals, because there were more than one transaction writes.
  CREATE TABLE approval_questions (
    elevation_request_id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    site_id uuid,
    device_id uuid,
    -- Technicians are asked in the order of their ids.
    asked_up_to uuid NOT NULL,
    -- No technician has a free place.
    parked boolean NOT NULL DEFAULT false
  );
  CREATE INDEX approval_question_by_partner ON approval_questions (partner_id, elevation_request_id) WHERE NOT parked;
  CREATE INDEX approval_question_by_device ON approval_questions (device_id, elevation_request_id);
  ${tenantPolicy({ table: 'approval_questions', orgColumn: 'org_id' })}

  -- A vote whose voter lost the right to it is void, and counts again after a new vote. One that was given in a session
  -- of an identity provider ends with the provider.
  CREATE TABLE elevation_votes (
    elevation_request_id uuid NOT NULL,
    user_id uuid NOT NULL,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    user_name text NOT NULL,
    provider_id uuid,
    minutes integer NOT NULL CONSTRAINT elevation_vote_minutes CHECK (minutes BETWEEN 1 AND 1440),
    voted_at timestamptz NOT NULL DEFAULT now(),
    voided_at timestamptz,
    PRIMARY KEY (elevation_request_id, user_id)
  );
  CREATE INDEX elevation_vote_by_org ON elevation_votes (org_id);
  CREATE INDEX elevation_votes_provider ON elevation_votes (provider_id)
    WHERE provider_id IS NOT NULL AND voided_at IS NULL;
  ${tenantPolicy({ table: 'elevation_votes', orgColumn: 'org_id' })}`;

/**
 * The people who may approve requests of an organisation, and at which sites. It sees people of every level, those of
 * the system too, which the context of a tenant hides.
 */
const VOTERS = `
  ${acrossTenants({
    name: 'elevation_voters(of_partner uuid, of_org uuid)',
    returns: 'TABLE (user_id uuid, everywhere boolean, site_ids uuid[])',
    volatility: 'STABLE',
    query: `SELECT t.user_id, a.site_ids = '{}', a.site_ids
      FROM technician_reach a JOIN technician_ref t ON t.user_id = a.user_id AND t.active
     WHERE (a.partner_id = of_partner OR a.partner_id IS NULL) AND a.permissions && '{devices:execute,*}'
       AND (a.level = 'system' OR (a.partner_id = of_partner AND (a.all_orgs OR of_org = ANY (a.org_ids))))`,
  })}
`;

/**
 * Functions of the owner create and drop partitions, because the runtime role may not create tables; tables created by
 * the owner get the default grants. Ids outside the months created in advance, such as imported history, go into the
 * default partition.
 */
const PARTITIONS = `
  CREATE FUNCTION uuid_from_instant(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT (lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid $$;

  CREATE FUNCTION elevation_partition_protect(partition text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', partition);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', partition);
    EXECUTE format('CREATE POLICY %I ON %I USING ((SELECT app_is_system()) OR (partner_id = (SELECT app_partner_id())
      AND ((SELECT app_all_orgs()) OR org_id = ANY ((SELECT app_org_ids())::uuid[]))))',
      partition || '_tenant', partition);
  END $$;

  -- Attached, not created as a partition: attaching does not lock out readers and writers of the parent.
  CREATE FUNCTION elevation_partitions_ahead(months integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
      EXECUTE format('ALTER TABLE elevation_requests ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', partition,
        uuid_from_instant(first_day), uuid_from_instant(first_day + interval '1 month'));
      made := made + 1;
    END LOOP;
    RETURN made;
  END $$;

  -- Dropping a month takes its approvals and votes with it, and its requests out of the totals, in one transaction.
  CREATE FUNCTION elevation_partitions_drop(months_kept integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DECLARE
    oldest text := 'elevation_requests_'
      || to_char((now() AT TIME ZONE 'UTC') - make_interval(months => months_kept), 'YYYY_MM');
    partition text;
    dropped integer := 0;
  BEGIN
    FOR partition IN SELECT relname FROM pg_class WHERE relname ~ '^elevation_requests_\\d{4}_\\d{2}$'
                        AND relkind = 'r' AND relname < oldest ORDER BY relname LOOP
      EXECUTE format('DELETE FROM approvals a USING %I r WHERE r.id = a.elevation_request_id', partition);
      EXECUTE format('DELETE FROM elevation_votes v USING %I r WHERE r.id = v.elevation_request_id', partition);
      EXECUTE format('INSERT INTO elevation_count_deltas
        SELECT partner_id, org_id, flow_type, status, -count(*) FROM %I GROUP BY 1, 2, 3, 4', partition);
      EXECUTE format('DROP TABLE %I', partition);
      dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
  END $$;

  CREATE TABLE elevation_requests_default PARTITION OF elevation_requests DEFAULT;
  SELECT elevation_partition_protect('elevation_requests_default');
  SELECT elevation_partitions_ahead(3);`;

export const REQUEST_SCHEMA = [REQUESTS, COUNTS, APPROVALS, VOTERS, PARTITIONS];
