import type { Tx } from '@gatehouse/database';
import { TRANSITIONS } from '@gatehouse/pam-domain';
import { Injectable } from '@nestjs/common';
import type { SettledApproval } from './approvals.repository.ts';
import type { TransitionedRequest } from '../requests/transitioned-request.ts';
import {
  FACT_COLUMNS,
  HAS_MOVED,
  hasMoved,
  IS_ACTIVE,
  IS_OVER,
  IS_RETIRED,
  withOutcome,
} from '../requests/request-sql.repository.ts';

/** The most rows that one transaction of the sweep changes; the sweep repeats until none is left. */
export const SWEEP_BATCH = 200;

// Replicas sweep concurrently: SKIP LOCKED lets each take rows that no other holds.
const some = (condition: string): string =>
  `SELECT r.id FROM elevation_requests r WHERE ${condition} LIMIT ${SWEEP_BATCH} FOR UPDATE OF r SKIP LOCKED`;
const expireIf = (condition: string): string =>
  withOutcome(`WITH over AS MATERIALIZED (${some(condition)})
  UPDATE elevation_requests r SET status = '${TRANSITIONS.expire.to}', ended_at = now()
    FROM over WHERE r.id = over.id`);
const revokeIf = (condition: string): string =>
  withOutcome(`WITH over AS MATERIALIZED (${some(`${IS_ACTIVE} AND ${condition}`)})
  UPDATE elevation_requests r SET status = '${TRANSITIONS.revoke.to}', revoke_reason = $1, ended_at = now()
    FROM over WHERE r.id = over.id`);
const EXPIRE_APPROVALS = `
  UPDATE approvals a SET status = 'expired', decided_at = now()
    WHERE a.id IN (SELECT p.id FROM approvals p WHERE p.status = 'pending' AND p.expires_at <= now()
    LIMIT ${SWEEP_BATCH} FOR UPDATE SKIP LOCKED)
  RETURNING a.id AS approval_id, a.elevation_request_id, a.user_id, a.org_id, a.partner_id, a.status, a.device_id`;
const END_APPROVALS = `
  UPDATE approvals SET expires_at = now() WHERE elevation_request_id = ANY ($1::uuid[]) AND status = 'pending'
     AND expires_at > now()`;
const SILENT = `
  UPDATE device_commands c SET status = 'expired', finished_at = now() WHERE c.id IN (
    SELECT o.id FROM device_commands o WHERE o.status IN ('queued', 'claimed') AND o.expires_at <= now()
      LIMIT ${SWEEP_BATCH} FOR UPDATE SKIP LOCKED)
  RETURNING CASE WHEN c.type = 'actuate_elevation' THEN c.elevation_request_id END AS elevation_request_id`;
const RELEASE = `
  UPDATE elevation_requests r SET status = '${TRANSITIONS.release.to}' WHERE r.id = ANY ($1::uuid[])
    AND r.status = ANY ($2::text[]) AND r.actuated_at IS NULL AND r.expires_at > now()
  RETURNING ${FACT_COLUMNS}`;

const VERSION_OF_REQUEST = '(SELECT r.device_version FROM elevation_requests r WHERE r.id = c.elevation_request_id)';
/**
 * Reassigns revocations and outcomes to the device's new organisation: an agent gets the commands of its own
 * organisation only.
 */
const FORWARD = `
  UPDATE device_commands c SET org_id = d.org_id, partner_id = d.partner_id FROM device_ref d
   WHERE ${hasMoved('c', VERSION_OF_REQUEST)} AND c.status IN ('queued', 'claimed')
     AND c.type IN ('revoke_elevation', 'elevation_outcome')`;

const OF_PROVIDER = 'r.requester_provider_id = $1 AND ($2::uuid IS NULL OR r.requested_by = $2)';
const STOP_WAITING = `
  UPDATE elevation_requests r SET pending_until = now() WHERE ${OF_PROVIDER} AND r.status = 'pending'`;
const REVOKE_OF_PROVIDER = withOutcome(`
  UPDATE elevation_requests r SET status = '${TRANSITIONS.revoke.to}', revoke_reason = $3, ended_at = now()
   WHERE ${OF_PROVIDER} AND ${IS_ACTIVE}`);

/** SQL condition: a known person no longer has a permission on the device. A merge moves both in turn. */
const mayNot = (permission: string, person: string): string => `NOT EXISTS (SELECT FROM org_ref o
    WHERE o.org_id = r.org_id AND (o.status = 'merging' OR o.merged_into_id IS NOT NULL))
  AND EXISTS (SELECT FROM technician_ref t WHERE t.user_id = ${person})
  AND NOT EXISTS (SELECT FROM people_who_may(${permission}, r.partner_id, r.org_id) p WHERE p.user_id = ${person}
    AND (p.everywhere OR EXISTS (SELECT FROM device_ref d
      WHERE d.device_id = r.device_id AND d.site_id = ANY (p.site_ids))))`;
/** SQL condition: a person made the request, and could not make it any more. */
const HAS_LEFT = `r.flow_type IN ('tech_jit_admin', 'ai_tool_action') AND ${mayNot(
  `CASE r.flow_type WHEN 'ai_tool_action' THEN 'tools:request' ELSE 'devices:execute' END`,
  'r.requested_by',
)}`;
const releaseIf = (condition: string): string => `
  UPDATE elevation_requests r SET taken_by = NULL, taken_by_name = NULL, taken_until = NULL
   WHERE r.status = 'pending' AND r.taken_until > now() AND ${condition}
     AND ${mayNot("'devices:execute'", 'r.taken_by')} RETURNING ${FACT_COLUMNS}`;

const SWEEP = {
  /** By the database's clock. */
  expire: expireIf(IS_OVER),
  /** Of devices that are decommissioned or deleted. */
  expireOfRetired: expireIf(`r.status = 'pending' AND ${IS_RETIRED}`),
  revokeOfRetired: revokeIf(IS_RETIRED),
  /** Of devices that have left the organisation of the requests. */
  expireOfMoved: expireIf(`r.status = 'pending' AND ${HAS_MOVED}`),
  revokeOfMoved: revokeIf(HAS_MOVED),
  expireOfLeft: expireIf(`r.status = 'pending' AND ${HAS_LEFT}`),
  revokeOfLeft: revokeIf(HAS_LEFT),
  expireOfChanged: expireIf(`r.status = 'pending' AND r.requested_by = ANY ($1::uuid[]) AND ${HAS_LEFT}`),
  revokeOfChanged: revokeIf(`r.requested_by = ANY ($2::uuid[]) AND ${HAS_LEFT}`),
  releaseOfChanged: releaseIf('r.taken_by = ANY ($1::uuid[])'),
  /** Of devices that have left the sites of who looks at the request. */
  releaseOfLeft: releaseIf('true'),
};

@Injectable()
export class ExpiryRepository {
  /**
   * Takes one step of the sweep. The approvals of requests that expire end too; {@link expireApprovals} says so.
   * @param of the reason of a revocation, and the people whose reach has changed
   */
  async sweep(tx: Tx, step: keyof typeof SWEEP, ...of: (string | readonly string[])[]): Promise<TransitionedRequest[]> {
    const moved = await tx.query<TransitionedRequest>(SWEEP[step], of);
    const expired = moved.filter(({ status }) => status === TRANSITIONS.expire.to);
    if (expired.length > 0) await tx.query(END_APPROVALS, [expired.map(({ id }) => id)]);
    return moved;
  }

  /**
   * Ends the requests that sessions of a provider made, those of one user or all.
   * @returns the grants, which are revoked; what waited has expired, and the next sweep says so
   */
  async endOfProvider(tx: Tx, id: string, userId: string | null, reason: string): Promise<TransitionedRequest[]> {
    await tx.query(STOP_WAITING, [id, userId]);
    return tx.query<TransitionedRequest>(REVOKE_OF_PROVIDER, [id, userId, reason]);
  }

  /** Reassigns open revocations and outcomes to the organisation in which the device is now. */
  async forwardRevocations(tx: Tx): Promise<void> {
    await tx.query(FORWARD);
  }

  expireApprovals(tx: Tx): Promise<SettledApproval[]> {
    return tx.query<SettledApproval>(EXPIRE_APPROVALS);
  }

  /** Releases actuations whose device did not report in time: their approvals become usable again. */
  async release(tx: Tx): Promise<TransitionedRequest[]> {
    const silent = await tx.query<{ elevationRequestId: string | null }>(SILENT);
    const ids = silent.flatMap(({ elevationRequestId }) => elevationRequestId ?? []);
    return ids.length === 0 ? [] : tx.query<TransitionedRequest>(RELEASE, [ids, TRANSITIONS.release.from]);
  }
}
