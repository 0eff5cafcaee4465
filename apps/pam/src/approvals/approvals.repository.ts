import type { TenantScope } from '@gatehouse/contracts-core';
import type { ApprovalFact, ApprovalStatus } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { type Reader, scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { StoredRow } from '../elevation-requests/elevation-request.view.ts';
import type { Question } from './approval-questions.repository.ts';
import { REQUESTER, ROW_COLUMNS, ROW_PLACE } from '../elevation-requests/elevation-requests.repository.ts';

const APPROVAL_MINUTES = 15;
const MAX_LISTED = 100;

export type SettledApproval = Omit<ApprovalFact, 'siteId'>;

export interface WrittenApproval {
  readonly approvalId: string;
  readonly elevationRequestId: string;
  readonly userId: string;
  readonly orgId: string;
  readonly partnerId: string;
  readonly expiresAt: Date;
}

/** An approval as its technician sees it, with the request that it is about. */
export interface ApprovalRow extends StoredRow {
  readonly approvalId: string;
  readonly approvalStatus: ApprovalStatus;
  readonly createdAt: Date;
  readonly approvalExpiresAt: Date;
  readonly approvalDecidedAt: Date | null;
  readonly lapsed: boolean;
}

const FACT = 'id AS approval_id, elevation_request_id, user_id, org_id, partner_id, status';

const STILL_PENDING = `status = 'pending' AND pending_until > now()`;

/**
 * Decisions, "approvals": active, devices:execute reaching the device's organisation and site, at least one push subscription.
 * So many of each request, each of them once, in the order of their ids. Each request is looked up by itself, for a planner
 * without statistics reads all pending ones instead.
 */
const ELIGIBLE = `
  SELECT r.id AS request_id, t.user_id, t.name
    FROM unnest($1::uuid[], $2::uuid[]) AS q (id, asked_up_to)
   CROSS JOIN LATERAL (SELECT id, partner_id, org_id, device_id, flow_type, requested_by FROM elevation_requests WHERE id = q.id AND ${STILL_PENDING} LIMIT 1) r
    JOIN device_ref d ON d.device_id = r.device_id
   CROSS JOIN LATERAL (
     SELECT DISTINCT t.user_id, t.name
       FROM technician_reach a JOIN technician_ref t ON t.user_id = a.user_id AND t.active JOIN push_reach p ON p.user_id = t.user_id AND p.subscriptions > 0
      WHERE (a.partner_id = r.partner_id OR a.partner_id IS NULL) AND a.permissions && '{devices:execute,*}' AND a.user_id > q.asked_up_to AND a.user_id IS DISTINCT FROM ${REQUESTER}
        AND (a.level = 'system' OR (a.partner_id = r.partner_id AND (a.all_orgs OR r.org_id = ANY (a.org_ids)))) AND (a.site_ids = '{}' OR d.site_id = ANY (a.site_ids))
      ORDER BY t.user_id LIMIT $3
   ) t`;

/** Each request is held, so that no decision slips in before its approvals are written. */
const WRITE = `
  INSERT INTO approvals (id, partner_id, org_id, elevation_request_id, user_id, user_name, expires_at)
  SELECT t.id, r.partner_id, r.org_id, r.id, t.user_id, t.name, least(r.pending_until, now() + make_interval(mins => ${APPROVAL_MINUTES}))
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) WITH ORDINALITY AS t (id, request_id, user_id, name, position)
  CROSS JOIN LATERAL (SELECT id, partner_id, org_id, pending_until FROM elevation_requests WHERE id = t.request_id AND ${STILL_PENDING} FOR SHARE) r
  ORDER BY t.position
  ON CONFLICT ON CONSTRAINT approval_once_per_technician DO NOTHING RETURNING id AS approval_id, elevation_request_id, user_id, org_id, partner_id, expires_at`;

interface Eligible {
  readonly requestId: string;
  readonly userId: string;
  readonly name: string;
}

/** Those with as many technicians as there may be at once go on after the last of them. */
function openOf(questions: readonly Question[], eligible: readonly Eligible[], mostEach: number): Question[] {
  const asked = new Map<string, string[]>();
  for (const { requestId, userId } of eligible) {
    const users = asked.get(requestId);
    if (users) users.push(userId);
    else asked.set(requestId, [userId]);
  }
  return questions.flatMap((question) => {
    const users = asked.get(question.elevationRequestId) ?? [];
    return users.length < mostEach ? [] : [{ ...question, askedUpTo: users.reduce((last, user) => (user > last ? user : last)) }];
  });
}

@Injectable()
export class ApprovalsRepository {
  /**
   * A row for each technician who may decide a request, of no request more than `mostEach`; none for requests that are no longer pending.
   * @returns the rows, and the questions of which more technicians may remain
   */
  async write(tx: Tx, questions: readonly Question[], mostEach: number): Promise<{ written: WrittenApproval[]; open: Question[] }> {
    const eligible = await tx.query<Eligible>(ELIGIBLE, [questions.map(({ elevationRequestId }) => elevationRequestId), questions.map(({ askedUpTo }) => askedUpTo), mostEach]);
    if (eligible.length === 0) return { written: [], open: [] };
    const written = await tx.query<WrittenApproval>(WRITE, [eligible.map(() => newId()), eligible.map(({ requestId }) => requestId), eligible.map(({ userId }) => userId), eligible.map(({ name }) => name)]);
    return { written, open: openOf(questions, eligible, mostEach) };
  }

  /** The request is decided: the decider's own approval says how, the others expire. */
  settle(tx: Tx, requestId: string, { userId, own }: { userId: string; own: ApprovalStatus }): Promise<SettledApproval[]> {
    return tx.query<SettledApproval>(
      `UPDATE approvals SET status = CASE WHEN user_id = $2 THEN $3 ELSE 'expired' END, decided_at = now() WHERE elevation_request_id = $1 AND status = 'pending' RETURNING ${FACT}`,
      [requestId, userId, own]);
  }

  list(reader: Reader, scope: TenantScope, { userId, status, id }: { userId: string; status?: ApprovalStatus; id?: string }): Promise<ApprovalRow[]> {
    const current = `CASE WHEN a.status = 'pending' AND a.expires_at <= now() THEN 'expired' ELSE a.status END`;
    const where = scoped(scope, { partner: 'a.partner_id', org: 'a.org_id', site: 'd.site_id' }).add('a.user_id = ?', userId).add('a.id = ?', id).add(`${current} = ?`, status);
    return reader.query<ApprovalRow>(
      `SELECT a.id AS approval_id, ${current} AS approval_status, a.created_at, a.expires_at AS approval_expires_at, a.decided_at AS approval_decided_at, a.expires_at <= now() AS lapsed, ${ROW_COLUMNS}
       FROM approvals a JOIN elevation_requests r ON r.id = a.elevation_request_id ${ROW_PLACE} ${where.where} ORDER BY a.id DESC LIMIT ${MAX_LISTED}`, where.parameters);
  }
}
