import { FROZEN_STATUSES } from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { TransitionedRequest } from '../requests/transitioned-request.ts';
import { FACT_COLUMNS } from '../requests/request-sql.repository.ts';

/** The most requests that one transaction escalates; the task repeats until none is left. */
export const ESCALATION_BATCH = 200;

/** A request for which a step was taken. */
export type Escalated = TransitionedRequest & {
  readonly step: number;
  readonly afterMinutes: number;
  readonly askAllApprovers: boolean;
};

// One step of a request at a time, and by the database's clock. Replicas work concurrently: SKIP LOCKED lets each take
// requests that no other holds, and the comparison leaves out a step that another one took in between.
const ESCALATE = `
  WITH due AS MATERIALIZED (
    SELECT r.id, s.step, s.after_minutes, s.ask_all
      FROM pam_escalation_policies p
      JOIN elevation_requests r ON r.org_id = p.org_id AND r.status = 'pending' AND r.pending_until > now()
        AND (p.flow_types IS NULL OR r.flow_type = ANY (p.flow_types))
        AND NOT EXISTS (SELECT FROM org_ref o WHERE o.org_id = r.org_id AND (o.deleted OR o.status = ANY ($1::text[])))
     CROSS JOIN LATERAL (
       SELECT (e->>'step')::smallint AS step, (e->>'afterMinutes')::integer AS after_minutes,
              (e->>'askAllApprovers')::boolean AS ask_all
         FROM jsonb_array_elements(p.steps) AS e WHERE (e->>'step')::smallint > r.escalated_step
        ORDER BY 1 LIMIT 1) s
     WHERE r.requested_at + make_interval(mins => s.after_minutes) <= now()
     LIMIT ${ESCALATION_BATCH} FOR UPDATE OF r SKIP LOCKED)
  UPDATE elevation_requests r SET escalated_step = due.step,
    escalations = coalesce(r.escalations, '[]') || jsonb_build_object('step', due.step, 'at', clock_timestamp())
   FROM due WHERE r.id = due.id AND r.escalated_step < due.step
  RETURNING ${FACT_COLUMNS}, due.step, due.after_minutes, due.ask_all AS ask_all_approvers`;

const ASKING_ALL = `
  SELECT ${FACT_COLUMNS} FROM elevation_requests r WHERE r.id = ANY ($1::uuid[]) AND EXISTS (
    SELECT FROM pam_escalation_policies p, jsonb_array_elements(p.steps) AS e
     WHERE p.org_id = r.org_id AND (e->>'askAllApprovers')::boolean AND (e->>'step')::smallint <= r.escalated_step)
   ORDER BY r.id`;

/** The most mails about waiting requests that one person gets within an hour, in all organisations. */
const MAX_MAILS_AN_HOUR = 20;
const FLOODED = `
  SELECT u.user_id FROM unnest($1::uuid[]) AS u (user_id) WHERE (SELECT count(*) FROM approvals a
    WHERE a.user_id = u.user_id AND a.id >= uuid_from_instant(now() - interval '1 hour')) > ${MAX_MAILS_AN_HOUR}`;

@Injectable()
export class EscalationsRepository {
  /** Which of these people have been asked so often within the hour that no mail tells them of one question more. */
  async flooded(tx: Tx, userIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (userIds.length === 0) return new Set();
    return new Set((await tx.query<{ userId: string }>(FLOODED, [userIds])).map(({ userId }) => userId));
  }

  /** Takes the next step of requests for which it is due; none in organisations where nothing can be approved. */
  escalate(tx: Tx): Promise<Escalated[]> {
    return tx.query<Escalated>(ESCALATE, [FROZEN_STATUSES]);
  }

  /** Those of the requests for which a step was taken that asks all who may decide. */
  askingAll(tx: Tx, requestIds: readonly string[]): Promise<TransitionedRequest[]> {
    return tx.query<TransitionedRequest>(ASKING_ALL, [requestIds]);
  }
}
