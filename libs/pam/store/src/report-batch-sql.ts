/** Columns of elevation_requests that a report brings; times that the database's clock sets come on top. */
const REPORTED = [
  'id', 'partner_id', 'org_id', 'device_id', 'device_hostname', 'flow_type', 'status', 'subject_username', 'target_executable_path', 'target_executable_hash',
  'target_executable_signer', 'target_executable_signer_thumbprint', 'target_executable_publisher', 'pid', 'parent_image', 'command_line', 'ad_groups', 'reason',
  'observed_at', 'rulebook_version', 'decision_source', 'matched_policy_id', 'matched_policy_name', 'pam_rule_id', 'pam_rule_name', 'duration_minutes',
];

/**
 * A batch of decided reports in one statement and one commit: requests, audit and events together, or nothing.
 * - `held` keeps each organisation's rulebook from changing until the commit; a report decided under another version is
 *   not written, and comes back `stale`. A null version (the evaluator failed: pending) needs no rulebook.
 * - a report that was answered before is not written again, and comes back `repeated`.
 */
export const WRITE_REPORTS = `
  WITH input AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS i("position" int, device_id uuid, body_hash text, partner_id uuid, org_id uuid, version bigint, request_id uuid, status text, request json, outbox json)
  ), held AS MATERIALIZED (
    SELECT v.org_id, v.version FROM rulebook_versions v WHERE v.org_id IN (SELECT org_id FROM input) ORDER BY v.org_id FOR SHARE
  ), fresh AS MATERIALIZED (
    SELECT i.* FROM input i LEFT JOIN held h ON h.org_id = i.org_id WHERE i.version IS NULL OR i.version = h.version
  ), receipt AS (
    INSERT INTO report_receipts AS r (device_id, body_hash, partner_id, org_id, request_id, status)
    SELECT device_id, decode(body_hash, 'hex'), partner_id, org_id, request_id, status FROM fresh ORDER BY device_id, body_hash
    ON CONFLICT (device_id, body_hash) DO UPDATE SET request_id = EXCLUDED.request_id, status = EXCLUDED.status, received_at = now()
      WHERE r.received_at < now() - interval '15 minutes'
    RETURNING r.device_id, r.body_hash
  ), written AS MATERIALIZED (
    SELECT f.* FROM fresh f JOIN receipt r ON r.device_id = f.device_id AND r.body_hash = decode(f.body_hash, 'hex')
  ), requests AS (
    INSERT INTO elevation_requests (${REPORTED.join(', ')}, decided_at, pending_until, expires_at)
    SELECT ${REPORTED.map((column) => `q.${column}`).join(', ')},
           CASE WHEN q.status <> 'pending' THEN now() END,
           CASE WHEN q.status = 'pending' THEN now() + make_interval(mins => $2) END,
           CASE WHEN q.status = 'auto_approved' THEN now() + make_interval(mins => q.duration_minutes) END
      FROM written w CROSS JOIN LATERAL json_populate_record(NULL::elevation_requests, w.request) q
     WHERE w.request_id IS NOT NULL
  ), facts AS (
    INSERT INTO outbox (id, subject, envelope)
    SELECT (o.row->>'id')::uuid, o.row->>'subject', (o.row->'envelope')::jsonb
      FROM written w CROSS JOIN LATERAL json_array_elements(w.outbox) WITH ORDINALITY AS o("row", place) ORDER BY w.position, o.place
  )
  SELECT i.position, CASE WHEN w.position IS NOT NULL THEN 'written' WHEN f.position IS NOT NULL THEN 'repeated' ELSE 'stale' END AS result
    FROM input i LEFT JOIN fresh f ON f.position = i.position LEFT JOIN written w ON w.position = i.position`;

/** The first answers to reports that were repeated. */
export const FIRST_ANSWERS = `
  SELECT r.device_id, encode(r.body_hash, 'hex') AS body_hash, r.request_id, r.status
    FROM report_receipts r JOIN unnest($1::uuid[], $2::text[]) AS asked(device_id, body_hash) ON r.device_id = asked.device_id AND r.body_hash = decode(asked.body_hash, 'hex')`;
