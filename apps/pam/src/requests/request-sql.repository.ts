import { AUTHORITY_NOW, FORMER_PLACES, IS_ACTIVE, IS_RETIRED, STATUS_NOW } from '@gatehouse/pam-store';

export { IS_ACTIVE, IS_OVER, IS_RETIRED, listed, STATUS_NOW } from '@gatehouse/pam-store';

/** Fragments of SQL about a request, which is the row `r` unless a fragment takes its name. */

export const TENANT = { partner: 'r.partner_id', org: 'r.org_id' };
/** SQL for the device's current site, which controls the visibility of a request. */
export const SITE_NOW = '(SELECT d.site_id FROM device_ref d WHERE d.device_id = r.device_id)';
export const GROUPS_NOW = `(SELECT d.group_ids FROM device_ref d WHERE d.device_id = r.device_id) AS group_ids,
  (SELECT ${FORMER_PLACES} FROM device_ref d WHERE d.device_id = r.device_id) AS former_places`;
export const AT_SITES = 'r.device_id IN (SELECT d.device_id FROM device_ref d WHERE d.site_id = ANY (?::uuid[]))';

/** The file that a request is about: its hash, or without one its path. */
export const FILE = 'coalesce(r.target_executable_hash, lower(r.target_executable_path))';
/** The id of the first request that may have been made within `days` before the row. */
export const daysBefore = (row: string, days: number): string =>
  `uuid_from_instant(${row}.requested_at - interval '${days} days')`;

const FIRST_SEEN_DAYS = 90;
export const FIRST_SEEN = `
  r.target_executable_path IS NOT NULL AND NOT EXISTS (
    SELECT FROM earlier_requests_for_file(r.org_id, ${FILE}, ${daysBefore('r', FIRST_SEEN_DAYS)}, r.id, 1))`;

/** SQL condition: a person looks at the request, and colleagues are told so (PAM-382). */
const IS_TAKEN = `r.status = 'pending' AND r.taken_until > now()`;

/** SQL for the votes that count; a request that demands one approval has no row for it. */
const VOTES = `
  CASE WHEN r.votes_required > 1 THEN (SELECT coalesce(json_agg(json_build_object('name', v.user_name, 'at', v.voted_at)
    ORDER BY v.voted_at, v.user_id), '[]')
                                         FROM elevation_votes v WHERE v.elevation_request_id = r.id
                                           AND v.voided_at IS NULL)
       WHEN r.approved_by_name IS NOT NULL
         THEN json_build_array(json_build_object('name', r.approved_by_name, 'at', r.decided_at))
       ELSE '[]' END`;

export const ROW_COLUMNS = `
  r.id, r.org_id, o.name AS org_name, r.device_id, coalesce(d.hostname, r.device_hostname) AS device_hostname,
  d.site_id, s.name AS site_name, r.flow_type, r.status, r.subject_username, r.requested_by, r.requested_by_name,
  r.target_executable_path, r.target_executable_hash, r.target_executable_signer,
  r.target_executable_signer_thumbprint, r.target_executable_publisher, r.pid, r.parent_image, r.command_line,
  r.ad_groups, r.reason, r.ticket, r.requested_at, r.observed_at, r.pending_until, r.decision_source, r.decided_at,
  r.decision_reason, r.approved_by_name, r.denied_by_name, r.revoked_by_name, r.revoke_reason, r.matched_policy_name,
  r.pam_rule_id, r.pam_rule_name, r.expires_at, r.actuated_at, r.tool_name, r.tool_action AS action, r.risk_tier, CASE
  WHEN ${IS_TAKEN} THEN r.taken_by END AS taken_by, CASE WHEN ${IS_TAKEN} THEN r.taken_by_name END AS taken_by_name,
  CASE WHEN ${IS_TAKEN} THEN r.taken_until END AS taken_until, r.action_digest, r.tool_input, r.held,
  r.votes_required, ${VOTES} AS votes, ${FIRST_SEEN} AS first_seen`;
export const ROW_JOINS = `
  LEFT JOIN device_ref d ON d.device_id = r.device_id
  LEFT JOIN site_ref s ON s.site_id = d.site_id
  LEFT JOIN org_ref o ON o.org_id = r.org_id`;

/**
 * SQL for the requester if they must not approve the request. The user of an AI agent confirms its actions, unless the
 * approval policy bars them.
 */
export const requesterOf = (row: string): string =>
  `CASE WHEN ${row}.flow_type = 'tech_jit_admin' OR ${row}.requester_barred THEN ${row}.requested_by END`;
export const REQUESTER = requesterOf('r');

/** After this time a person no longer waits in front of the screen. */
const MAILED_AFTER = "interval '5 minutes'";
/** Who was suspended or removed hears nothing more, on no device. */
const NOTIFY_BY_MAIL = `
  CASE WHEN r.requested_by IS NOT NULL
    AND NOT EXISTS (SELECT FROM technician_ref t WHERE t.user_id = r.requested_by AND NOT t.active)
    AND coalesce((SELECT p.tell_requester FROM pam_escalation_policies p WHERE p.org_id = r.org_id), true)
  THEN now() - r.requested_at > ${MAILED_AFTER} END`;

/** The columns of {@link TransitionedRequest} from the row `r`. */
export const FACT_COLUMNS = `
  r.id, r.org_id, r.partner_id, ${SITE_NOW} AS site_id, r.device_id, r.device_hostname, r.flow_type, r.status,
  r.decision_source, r.pam_rule_id, r.matched_policy_id, r.target_executable_path, r.subject_username,
  r.requested_by_name, r.tool_name, r.tool_action, r.risk_tier, r.action_digest, r.votes_required, r.ticket,
  r.requested_by, ${NOTIFY_BY_MAIL} AS notify_by_mail`;

/** SQL condition: the caller sees the device. Row security hides one that moved to where the caller reaches nothing. */
const IS_SEEN = 'EXISTS (SELECT FROM device_ref d WHERE d.device_id = r.device_id)';
/** SQL for the status that an answer of authority states to a person or their key (PAM-300). */
export const SHOWN_STATUS = `CASE WHEN ${IS_ACTIVE} AND NOT ${IS_SEEN} THEN 'revoked' ELSE ${AUTHORITY_NOW} END`;
/** {@link FACT_COLUMNS} with that status. */
export const PRESENT_COLUMNS = FACT_COLUMNS.replace('r.status,', `${SHOWN_STATUS} AS status,`);

/** SQL for what was decided: a grant stays a grant after its window has ended. */
export const OUTCOME = `
  CASE WHEN ${STATUS_NOW} = 'pending' THEN 'pending' WHEN r.status = 'denied' THEN 'denied' WHEN r.approved_by IS NOT NULL THEN 'approved'
       WHEN r.decided_at IS NOT NULL THEN 'auto_approved' ELSE 'expired' END`;

const FACT_NAMES = `
  id, org_id, partner_id, site_id, device_id, device_hostname, flow_type, status, decision_source, pam_rule_id,
  matched_policy_id, target_executable_path, subject_username, requested_by_name, tool_name, tool_action, risk_tier,
  action_digest, votes_required, ticket, requested_by, notify_by_mail`;
/** A UUID v7, so that a device receives its commands in the order in which they were queued. */
const NEW_ID = `(left(uuid_from_instant(clock_timestamp())::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid`;
const SHOWN_END = `to_char(m.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const UNDELIVERED_DAYS = 7;

/**
 * SQL that applies a status change and queues its outcome to the agent that reported the request, in one statement
 * (PAM-93). It withdraws an approval that the agent has not acknowledged (PAM-301). Agents that speak an older protocol
 * do not know the command, and get it only where the escalation policy says so, about prompts that were pending; they
 * answer that it failed. pam-ingest may let an agent in before `device_ref` has its device; then the outcome is queued,
 * and an agent that does not know it answers so.
 * @param update an UPDATE of elevation_requests, without RETURNING
 */
export const withOutcome = (update: string): string => `
  WITH moved AS (${update} RETURNING ${FACT_COLUMNS}, r.expires_at, r.decision_reason, r.revoke_reason),
  outcome AS (
    INSERT INTO device_commands (id, partner_id, org_id, device_id, elevation_request_id, type, payload, expires_at)
    SELECT ${NEW_ID}, m.partner_id, m.org_id, m.device_id, m.id, 'elevation_outcome',
           jsonb_strip_nulls(jsonb_build_object('elevationRequestId', m.id, 'status', m.status,
             'expiresAt', CASE WHEN m.status = 'approved' THEN ${SHOWN_END} END,
             'reason', CASE WHEN m.status IN ('approved', 'denied') THEN m.decision_reason WHEN m.status = 'revoked'
               THEN m.revoke_reason END)),
           CASE WHEN m.status = 'approved' THEN m.expires_at ELSE now() + interval '${UNDELIVERED_DAYS} days' END
      FROM moved m LEFT JOIN device_ref d ON d.device_id = m.device_id
     WHERE m.flow_type = 'uac_intercept' AND (d.device_id IS NULL OR NOT d.deleted
       AND (d.agent_protocol >= 2 OR coalesce(m.decision_source, 'human') = 'human'
         AND (SELECT p.tell_device FROM pam_escalation_policies p WHERE p.org_id = m.org_id)))), withdrawn AS (
    UPDATE device_commands c SET status = 'cancelled', finished_at = now() FROM moved m
     WHERE c.elevation_request_id = m.id AND c.type = 'elevation_outcome' AND c.status IN ('queued', 'claimed')
       AND m.status IN ('revoked', 'expired'))
  SELECT ${FACT_NAMES} FROM moved`;

/**
 * SQL condition: the device has moved to another organisation. `device_ref` must be newer than the device version of
 * the request, because pam-ingest may learn of a move before `device_ref` does. Organisations in a merge do not count:
 * there the device and its requests move one after the other.
 */
export const hasMoved = (row: string, requestedUnder: string): string => `
  d.device_id = ${row}.device_id AND d.org_id <> ${row}.org_id AND d.version > coalesce(${requestedUnder}, 0)
  AND NOT EXISTS (SELECT FROM org_ref o WHERE o.org_id IN (${row}.org_id, d.org_id)
    AND (o.status = 'merging' OR o.merged_into_id IS NOT NULL))`;

export const HAS_MOVED = `EXISTS (SELECT FROM device_ref d WHERE ${hasMoved('r', 'r.device_version')})`;
/** SQL condition: the device is managed, in the organisation of the request: only there something may be granted. */
export const IN_SERVICE = `${IS_SEEN} AND NOT ${IS_RETIRED} AND NOT ${HAS_MOVED}`;
