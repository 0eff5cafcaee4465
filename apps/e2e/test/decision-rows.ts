import { sql, type Tenant, type World } from './world.ts';

const SHARED = `WITH t AS (SELECT $1::uuid AS partner, $2::uuid AS org, $3::uuid AS site, $4::uuid AS device,
  $5::uuid AS request)`;

/** A row in each table that decisions fill slowly or behind a second person; ended freezes and finished replays. */
const INSERTS = [
  `INSERT INTO elevation_votes (elevation_request_id, user_id, partner_id, org_id, user_name, minutes)
   SELECT request, gen_random_uuid(), partner, org, 'Ada', 15 FROM t`,
  `INSERT INTO ignored_counts (partner_id, org_id, site_id, at, count)
   SELECT partner, org, site, date_trunc('hour', now()), 1 FROM t`,
  `INSERT INTO pam_approval_policies (org_id, partner_id, default_approvals) SELECT org, partner, 1 FROM t`,
  `INSERT INTO pam_justification_policies (org_id, partner_id, reason_mode, min_letters, ticket_mode, ticket_masks,
    hold_prompts)
   SELECT org, partner, 'optional', 0, 'off', '{}', false FROM t`,
  `INSERT INTO pam_escalation_policies (org_id, partner_id, steps, tell_device, tell_requester)
   SELECT org, partner, '[]', false, true FROM t`,
  `INSERT INTO pam_freezes (id, partner_id, org_id, level, target_id, mode, reason, created_by, created_by_name,
    ended_at, done, asked)
   SELECT gen_random_uuid(), partner, org, 'device', device, 'hold', 'over', gen_random_uuid(), 'Ada', now(), true, true
     FROM t`,
  `INSERT INTO pam_rule_usage (rule_id, day, partner_id, org_id, matches, last_matched_at)
   SELECT gen_random_uuid(), current_date, partner, org, 1, now() FROM t`,
  `INSERT INTO pam_partner_rule_usage (rule_id, org_id, day, partner_id, matches, last_matched_at)
   SELECT gen_random_uuid(), org, current_date, partner, 1, now() FROM t`,
  `, rule AS (
     INSERT INTO pam_rules (id, partner_id, name, verdict, match_user, precedence, opt_out, enabled)
     SELECT gen_random_uuid(), partner, 'left', 'auto_deny', 'x', 'before', 'allowed', false FROM t RETURNING id
   )
   INSERT INTO pam_rule_opt_outs (id, rule_id, partner_id, org_id, reason, opted_out_by)
   SELECT gen_random_uuid(), rule.id, partner, org, 'An own tool', gen_random_uuid() FROM rule, t`,
  `INSERT INTO pam_shadow_ignored (rule_id, day, partner_id, org_id, hits)
   SELECT gen_random_uuid(), current_date, partner, org, 1 FROM t`,
  `, replay AS (
     INSERT INTO pam_replays (id, partner_id, org_id, state, since, changes, rulebook_version, created_by, finished_at)
     SELECT gen_random_uuid(), partner, org, 'completed', now(), '[]', 1, gen_random_uuid(), now() FROM t RETURNING id
   ), device AS (
     INSERT INTO pam_replay_devices (replay_id, device_id, partner_id, org_id)
     SELECT replay.id, t.device, partner, org FROM replay, t
   )
   INSERT INTO pam_replay_changes (replay_id, request_id, partner_id, org_id, requested_at, device_id, device_hostname,
     flow_type, outcome, before, after, recorded_status)
   SELECT replay.id, request, partner, org, now(), t.device, 'pc-1', 'uac_intercept', 'denied', '{}', '{}', 'pending'
     FROM replay, t`,
];

/** Fills the tables of decisions of one organisation. */
export async function furnishDecisions(
  world: World,
  tenant: Omit<Tenant, 'agentToken'>,
  requestId: string,
): Promise<void> {
  const { partnerId, orgId, siteId, deviceId } = tenant;
  const values = [partnerId, orgId, siteId, deviceId, requestId];
  for (const insert of INSERTS)
    await sql(world, 'pam', `${SHARED}${insert.startsWith(',') ? '' : ' '}${insert}`, values);
}
