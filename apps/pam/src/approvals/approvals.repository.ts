import type { Page, PageQuery, TenantScope } from '@gatehouse/contracts-core';
import type { ApprovalFact, ApprovalStatus } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { type Reader, scoped, type Tx } from '@gatehouse/database';
import { isLockedDown } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import type { StoredRow } from '../requests/elevation-request.view.ts';
import { HiddenOrganizationsRepository, ofReadable, outside } from '../tenants/hidden-organizations.repository.ts';
import { MAX_OPEN, type Question } from './approval-questions.repository.ts';
import { readList } from '../pages.repository.ts';
import { requesterOf, ROW_COLUMNS, ROW_JOINS } from '../requests/request-sql.repository.ts';

const MAX_LISTED = 100;

export type SettledApproval = Omit<ApprovalFact, 'siteId'> & { readonly deviceId: string | null };

export interface WrittenApproval {
  readonly approvalId: string;
  readonly elevationRequestId: string;
  readonly userId: string;
  readonly orgId: string;
  readonly partnerId: string;
  readonly expiresAt: Date;
}

/** An approval joined with its request. */
export interface ApprovalRow extends StoredRow {
  readonly approvalId: string;
  readonly approvalStatus: ApprovalStatus;
  readonly createdAt: Date;
  readonly approvalExpiresAt: Date;
  readonly approvalDecidedAt: Date | null;
  readonly lapsed: boolean;
  /** The number of prompts that this approval represents, its own included. */
  readonly promptCount: number;
}

const FACT = 'id AS approval_id, elevation_request_id, user_id, org_id, partner_id, status, device_id';

const STILL_PENDING = `status = 'pending' AND pending_until > now()`;

const isOpen = (approval: string): string => `${approval}.status = 'pending' AND ${approval}.expires_at > now()`;
const OPEN = isOpen('o');

/**
 * Serialises transactions that write approvals of the same device: otherwise two of them could both find the last place
 * free. The locks are taken in a fixed order, so that they cannot deadlock.
 */
const LOCK_DEVICES = `SELECT pg_advisory_xact_lock(hashtextextended(id::text, 5172233))
  FROM (SELECT DISTINCT unnest($1::uuid[]) AS id ORDER BY 1) AS devices`;

/** Only people whom a push reaches, or all who may decide. */
export type Asked = 'reached' | 'all';
const REACHED = 'JOIN push_reach p ON p.user_id = t.user_id AND p.subscriptions > 0';

/**
 * Selects the technicians who get an approval (decisions, "approvals"): active, with devices:execute reaching the
 * device's organisation and site, with a push subscription unless all are asked, and a free place for this device. The
 * statement returns at most so many technicians of each request, in the order of their ids. `fits` is false where older
 * requests in the same statement take the last place. Each request is looked up separately: without statistics the
 * planner would otherwise read all pending requests.
 */
const eligible = (among: Asked): string => `
  SELECT r.id AS request_id, t.user_id, t.name, t.open + row_number() OVER (PARTITION BY r.device_id, t.user_id
    ORDER BY r.id) <= ${MAX_OPEN} AS fits
    FROM unnest($1::uuid[], $2::uuid[]) AS q (id, asked_up_to)
   CROSS JOIN LATERAL (SELECT id, partner_id, org_id, device_id, flow_type, requested_by, requester_barred,
     coalesce(barred_editors, '{}') AS barred_editors FROM elevation_requests WHERE id = q.id AND ${STILL_PENDING}
     LIMIT 1) r
    JOIN device_ref d ON d.device_id = r.device_id
   CROSS JOIN LATERAL (
     SELECT e.user_id, e.name, places.open FROM (
       SELECT DISTINCT t.user_id, t.name
         FROM technician_reach a JOIN technician_ref t ON t.user_id = a.user_id AND t.active
           ${among === 'reached' ? REACHED : ''}
        WHERE (a.partner_id = r.partner_id OR a.partner_id IS NULL) AND a.permissions && '{devices:execute,*}'
          AND a.user_id > q.asked_up_to AND a.user_id IS DISTINCT FROM ${requesterOf('r')}
          AND a.user_id <> ALL (r.barred_editors)
          AND (a.level = 'system' OR (a.partner_id = r.partner_id AND (a.all_orgs OR r.org_id = ANY (a.org_ids))))
            AND (a.site_ids = '{}' OR d.site_id = ANY (a.site_ids))) e
      CROSS JOIN LATERAL (SELECT count(*) AS open FROM approvals o WHERE o.device_id = r.device_id
        AND o.user_id = e.user_id AND ${OPEN}) places
      WHERE places.open < ${MAX_OPEN} AND NOT EXISTS (SELECT FROM approvals x WHERE x.elevation_request_id = r.id
        AND x.user_id = e.user_id)
        AND NOT EXISTS (SELECT FROM elevation_votes v WHERE v.elevation_request_id = r.id AND v.user_id = e.user_id)
      ORDER BY e.user_id LIMIT $3
   ) t`;

/** Locks each request, so that it cannot be decided before its approvals are written. */
const WRITE = `
  INSERT INTO approvals (id, partner_id, org_id, elevation_request_id, device_id, user_id, user_name, expires_at)
  SELECT t.id, r.partner_id, r.org_id, r.id, r.device_id, t.user_id, t.name, r.pending_until
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) WITH ORDINALITY AS t (id, request_id, user_id, name,
    position)
  CROSS JOIN LATERAL (SELECT id, partner_id, org_id, device_id, pending_until FROM elevation_requests
    WHERE id = t.request_id AND ${STILL_PENDING} FOR SHARE) r
  ORDER BY t.position
  ON CONFLICT ON CONSTRAINT approval_once_per_technician DO NOTHING
    RETURNING id AS approval_id, elevation_request_id, user_id, org_id, partner_id, expires_at`;

/** Devices for which at least one technician has no free place. */
const FULL = `
  SELECT d.id FROM (SELECT DISTINCT unnest($1::uuid[]) AS id) d
   WHERE EXISTS (SELECT FROM approvals o WHERE o.device_id = d.id AND ${OPEN} GROUP BY o.user_id
     HAVING count(*) >= ${MAX_OPEN})`;

/**
 * A technician's newest open approval of a device also represents the requests of that device for which the technician
 * has no approval.
 */
const PROMPTS = `
  CASE WHEN ${isOpen('a')} AND a.device_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM approvals o WHERE o.device_id = a.device_id AND o.user_id = a.user_id
          AND o.id > a.id AND ${OPEN})
       THEN 1 + (SELECT count(*) FROM approval_questions w JOIN elevation_requests p ON p.id = w.elevation_request_id
                  WHERE w.device_id = a.device_id AND p.status = 'pending' AND p.pending_until > now()
                    AND ${requesterOf('p')} IS DISTINCT FROM a.user_id
                      AND a.user_id <> ALL (coalesce(p.barred_editors, '{}'))
                    AND NOT EXISTS (SELECT FROM approvals x WHERE x.elevation_request_id = p.id
                      AND x.user_id = a.user_id))
       ELSE 1 END::int`;

const LOCKED_DOWN = `
  SELECT q.id FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[]) AS q (id, partner_id, org_id, device_id)
    WHERE ${isLockedDown('q')}`;

interface Eligible {
  readonly requestId: string;
  readonly userId: string;
  readonly name: string;
  readonly fits: boolean;
}

/** Questions that reached the limit of one batch continue after their last technician. */
function openOf(questions: readonly Question[], eligible: readonly Eligible[], mostEach: number): Question[] {
  const asked = new Map<string, string[]>();
  for (const { requestId, userId } of eligible) {
    const users = asked.get(requestId);
    if (users) users.push(userId);
    else asked.set(requestId, [userId]);
  }
  return questions.flatMap((question) => {
    const users = asked.get(question.elevationRequestId) ?? [];
    return users.length < mostEach
      ? []
      : [{ ...question, askedUpTo: users.reduce((last, user) => (user > last ? user : last)) }];
  });
}

@Injectable()
export class ApprovalsRepository {
  constructor(private readonly hidden: HiddenOrganizationsRepository) {}

  /**
   * Writes one approval for each technician who may decide a request, at most `mostEach` of each request, and none for
   * requests that are no longer pending.
   * @returns the rows, and the questions for which more technicians may remain
   */
  async write(
    tx: Tx,
    questions: readonly Question[],
    mostEach: number,
    among: Asked = 'reached',
  ): Promise<{ written: WrittenApproval[]; open: Question[] }> {
    await tx.query(LOCK_DEVICES, [questions.map(({ deviceId }) => deviceId)]);
    const found = await tx.query<Eligible>(eligible(among), [
      questions.map(({ elevationRequestId }) => elevationRequestId),
      questions.map(({ askedUpTo }) => askedUpTo),
      mostEach,
    ]);
    if (found.length === 0) return { written: [], open: [] };
    const fitting = found.filter(({ fits }) => fits);
    const written = await tx.query<WrittenApproval>(WRITE, [
      fitting.map(() => newId()),
      fitting.map(({ requestId }) => requestId),
      fitting.map(({ userId }) => userId),
      fitting.map(({ name }) => name),
    ]);
    return { written, open: openOf(questions, found, mostEach) };
  }

  /** The questions that may be asked: under a lockdown no technician is asked (PAM-151). */
  async askable(tx: Tx, questions: readonly Question[]): Promise<Question[]> {
    const lockedDown = await tx.query<{ id: string }>(LOCKED_DOWN, [
      questions.map(({ elevationRequestId }) => elevationRequestId),
      questions.map(({ partnerId }) => partnerId),
      questions.map(({ orgId }) => orgId),
      questions.map(({ deviceId }) => deviceId),
    ]);
    const ids = new Set(lockedDown.map(({ id }) => id));
    return questions.filter(({ elevationRequestId }) => !ids.has(elevationRequestId));
  }

  /** The questions to park: some technician has no free place for their device. */
  async waitingForPlace(tx: Tx, questions: readonly Question[]): Promise<Question[]> {
    const full = await tx.query<{ id: string }>(FULL, [questions.map(({ deviceId }) => deviceId)]);
    const devices = new Set(full.map(({ id }) => id));
    return questions.filter(({ deviceId }) => devices.has(deviceId));
  }

  /** Closes the voter's own approval; those of the others stay open, because the request needs their votes. */
  settleOwn(
    tx: Tx,
    requestId: string,
    { userId, own }: { userId: string; own: ApprovalStatus },
  ): Promise<SettledApproval[]> {
    return tx.query<SettledApproval>(
      `UPDATE approvals SET status = $3, decided_at = now() WHERE elevation_request_id = $1 AND user_id = $2
        AND status = 'pending' RETURNING ${FACT}`,
      [requestId, userId, own],
    );
  }

  /** Closes the approvals of a decided request: the decider's own gets the decision, the others expire. */
  settle(
    tx: Tx,
    requestId: string,
    { userId, own }: { userId: string; own: ApprovalStatus },
  ): Promise<SettledApproval[]> {
    return tx.query<SettledApproval>(
      `UPDATE approvals SET status = CASE WHEN user_id = $2 THEN $3 ELSE 'expired' END, decided_at = now()
        WHERE elevation_request_id = $1 AND status = 'pending' RETURNING ${FACT}`,
      [requestId, userId, own],
    );
  }

  async list(
    reader: Reader,
    scope: TenantScope,
    { userId, status, id }: { userId: string; status?: ApprovalStatus; id?: string },
    page: PageQuery | null = null,
  ): Promise<Page<ApprovalRow>> {
    const current = `CASE WHEN a.status = 'pending' AND a.expires_at <= now() THEN 'expired' ELSE a.status END`;
    const where = scoped(scope, { partner: 'a.partner_id', org: 'a.org_id', site: 'd.site_id' })
      .add('a.user_id = ?', userId)
      .add('a.id = ?', id)
      .add(`${current} = ?`, status);
    if (id === undefined) outside(where, 'a.org_id', await this.hidden.ids(reader, scope));
    else where.raw(ofReadable(scope, 'a.org_id'));
    const columns = `a.id AS approval_id, ${current} AS approval_status, a.created_at, a.expires_at AS approval_expires_at, a.decided_at AS approval_decided_at, a.expires_at <= now() AS lapsed, ${PROMPTS} AS prompt_count, ${ROW_COLUMNS}`;
    const from = `approvals a JOIN elevation_requests r ON r.id = a.elevation_request_id ${ROW_JOINS}`;
    return readList<ApprovalRow>(reader, { columns, from, order: 'a.id DESC', most: MAX_LISTED }, where, page);
  }
}
