import { RULEBOOK_LOCK_OF } from '../rulebooks/rulebook-lock.ts';

/** The columns of elevation_requests that come from a report; the database adds the times. */
export const REPORT_COLUMNS = {
  id: 'uuid',
  partner_id: 'uuid',
  org_id: 'uuid',
  device_id: 'uuid',
  device_hostname: 'text',
  device_version: 'bigint',
  flow_type: 'text',
  status: 'text',
  subject_username: 'text',
  target_executable_path: 'text',
  target_executable_hash: 'text',
  target_executable_signer: 'text',
  target_executable_signer_thumbprint: 'text',
  target_executable_publisher: 'text',
  pid: 'bigint',
  parent_image: 'text',
  command_line: 'text',
  ad_groups: 'text[]',
  reason: 'text',
  observed_at: 'timestamptz',
  rulebook_version: 'bigint',
  decision_source: 'text',
  matched_policy_id: 'uuid',
  matched_policy_name: 'text',
  pam_rule_id: 'uuid',
  pam_rule_name: 'text',
  duration_minutes: 'integer',
  held: 'text',
  costliest_id: 'uuid',
} as const;

const names = Object.keys(REPORT_COLUMNS);
const typed = Object.entries(REPORT_COLUMNS).map(([name, type]) => `${name} ${type}`);

/**
 * Writes a batch of decided reports in one statement and one commit: requests, audit entries and events together, or
 * nothing.
 * - `held` locks each organisation's rulebook version until the commit. A report decided under another version is not
 * written and returned as `stale`. A report without a version (the decision failed, so it is pending) needs no
 * rulebook.
 * - While a rulebook is being changed, or a change waits for the lock, its reports are returned as `busy`. The batch
 * never waits for a lock, and a storm of reports cannot delay the change.
 * - A report that was already answered is not written again and returned as `repeated`.
 * - A report that is not `stored` (ignored) leaves only its answer and its audit entry.
 * Events with the same subject share an outbox row. Only the events of written reports are included, concatenated as
 * text without being parsed.
 */
export const WRITE_REPORTS = `
  WITH input AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS i("position" integer, body_hash text, stored boolean, ${typed.join(', ')})
  ), orgs AS MATERIALIZED (
    SELECT DISTINCT org_id FROM input
  ), let_in AS MATERIALIZED (
    SELECT org_id FROM orgs WHERE pg_try_advisory_xact_lock_shared(${RULEBOOK_LOCK_OF('org_id')})
  ), held AS MATERIALIZED (
    SELECT v.org_id, v.version FROM rulebook_versions v JOIN let_in o ON o.org_id = v.org_id FOR SHARE OF v SKIP LOCKED
  ), fresh AS MATERIALIZED (
    SELECT i.*, decode(i.body_hash, 'hex') AS hash FROM input i LEFT JOIN held h ON h.org_id = i.org_id WHERE i.rulebook_version IS NULL OR i.rulebook_version = h.version
  ), receipt AS (
    INSERT INTO report_receipts AS r (device_id, body_hash, partner_id, org_id, request_id, status)
    SELECT device_id, hash, partner_id, org_id, CASE WHEN stored THEN id END, status FROM fresh ORDER BY device_id, hash
    ON CONFLICT (device_id, body_hash) DO UPDATE SET request_id = EXCLUDED.request_id, status = EXCLUDED.status, received_at = now()
      WHERE r.received_at < now() - interval '15 minutes'
    RETURNING r.device_id, r.body_hash
  ), judged AS MATERIALIZED (
    SELECT f.*, (f.device_id, f.hash) IN (SELECT device_id, body_hash FROM receipt) AS is_new FROM fresh f
  ), written AS MATERIALIZED (
    SELECT * FROM judged WHERE is_new
  ), requests AS (
    INSERT INTO elevation_requests (${names.join(', ')}, decided_at, pending_until, expires_at)
    SELECT ${names.map((name) => `w.${name}`).join(', ')},
           CASE WHEN w.status <> 'pending' THEN now() END,
           CASE WHEN w.status = 'pending' THEN now() + make_interval(mins => $7) END,
           CASE WHEN w.status = 'auto_approved' THEN now() + make_interval(mins => w.duration_minutes) END
      FROM written w WHERE w.stored
  ), stated AS (
    SELECT f.bundle, count(*) AS count, string_agg(f.text, ',' ORDER BY f.position) AS texts
      FROM ROWS FROM (unnest($2::integer[]), unnest($3::integer[]), json_array_elements_text($4::json)) AS f(position, bundle, text) JOIN written w ON w.position = f.position GROUP BY f.bundle
  ), facts AS (
    INSERT INTO outbox (id, subject, envelope)
    SELECT CASE count WHEN 1 THEN (texts::json->>'id')::uuid ELSE ($5::uuid[])[bundle] END, ($6::text[])[bundle],
           CASE count WHEN 1 THEN texts::json ELSE ('{"id":"' || ($5::uuid[])[bundle] || '","events":[' || texts || ']}')::json END
      FROM stated ORDER BY bundle
  )
  SELECT i.position, CASE WHEN w.position IS NOT NULL THEN 'written' WHEN f.position IS NOT NULL THEN 'repeated' WHEN h.org_id IS NULL THEN 'busy' ELSE 'stale' END AS result
    FROM input i LEFT JOIN fresh f ON f.position = i.position LEFT JOIN written w ON w.position = i.position LEFT JOIN held h ON h.org_id = i.org_id`;

/** Reads the first answers to repeated reports. */
export const FIRST_ANSWERS = `
  SELECT r.device_id, encode(r.body_hash, 'hex') AS body_hash, r.request_id, r.status
    FROM report_receipts r JOIN unnest($1::uuid[], $2::text[]) AS asked(device_id, body_hash) ON r.device_id = asked.device_id AND r.body_hash = decode(asked.body_hash, 'hex')`;
