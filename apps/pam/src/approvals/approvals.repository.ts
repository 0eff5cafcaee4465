import type { TenantScope } from '@gatehouse/contracts-core';
import type { ApprovalFact, ApprovalStatus } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { type Reader, scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { StoredRow } from '../elevation-requests/elevation-request.view.ts';
import { REQUESTER, ROW_COLUMNS, ROW_PLACE } from '../elevation-requests/elevation-requests.repository.ts';

const APPROVAL_MINUTES = 15;
const MAX_LISTED = 100;

export type SettledApproval = Omit<ApprovalFact, 'siteId'>;

export interface WrittenApproval {
  readonly approvalId: string;
  readonly userId: string;
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

/** The pending request, held so that no decision slips in between the look and the writing of its approvals. */
const HOLD = `SELECT r.org_id, r.partner_id, ${REQUESTER} AS requested_by, d.site_id FROM elevation_requests r JOIN device_ref d ON d.device_id = r.device_id
  WHERE r.id = $1 AND r.status = 'pending' AND r.pending_until > now() FOR SHARE OF r`;

/** Decisions, "approvals": active, devices:execute reaching the device's organisation and site, at least one push subscription. */
const ELIGIBLE = `
  SELECT DISTINCT t.user_id, t.name FROM technician_ref t JOIN push_reach p ON p.user_id = t.user_id AND p.subscriptions > 0 JOIN technician_reach a ON a.user_id = t.user_id
  WHERE t.active AND a.permissions && '{devices:execute,*}' AND t.user_id IS DISTINCT FROM $4::uuid
    AND (a.level = 'system' OR (a.partner_id = $1 AND (a.all_orgs OR $2 = ANY (a.org_ids)))) AND (a.site_ids = '{}' OR $3 = ANY (a.site_ids))`;

const WRITE = `
  INSERT INTO approvals (id, partner_id, org_id, elevation_request_id, user_id, user_name, expires_at)
  SELECT t.id, r.partner_id, r.org_id, r.id, t.user_id, t.name, least(r.pending_until, now() + make_interval(mins => ${APPROVAL_MINUTES}))
  FROM elevation_requests r, unnest($2::uuid[], $3::uuid[], $4::text[]) AS t (id, user_id, name) WHERE r.id = $1
  ON CONFLICT ON CONSTRAINT approval_once_per_technician DO NOTHING RETURNING id AS approval_id, user_id, expires_at`;

interface Held {
  readonly orgId: string;
  readonly partnerId: string;
  readonly siteId: string;
  readonly requestedBy: string | null;
}

@Injectable()
export class ApprovalsRepository {
  /** One row for each technician who may decide; none when the request is no longer pending. */
  async write(tx: Tx, requestId: string): Promise<WrittenApproval[]> {
    const held = await tx.one<Held>(HOLD, [requestId]);
    if (!held) return [];
    const eligible = await tx.query<{ userId: string; name: string }>(ELIGIBLE, [held.partnerId, held.orgId, held.siteId, held.requestedBy]);
    if (eligible.length === 0) return [];
    return tx.query<WrittenApproval>(WRITE, [requestId, eligible.map(() => newId()), eligible.map(({ userId }) => userId), eligible.map(({ name }) => name)]);
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
