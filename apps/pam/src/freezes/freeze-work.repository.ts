import type { FreezeLevel } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';
import { TRANSITIONS } from '@gatehouse/pam-domain';
import { type FreezeEntity, isLockedDown } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { BEFORE_ALL_TECHNICIANS } from '../approvals/approval-questions.repository.ts';
import type { TransitionedRequest } from '../requests/transitioned-request.ts';
import { IS_ACTIVE, SITE_NOW, withOutcome } from '../requests/request-sql.repository.ts';

/** The most requests that one transaction changes. */
export const BATCH = 500;
/** Each batch renews the lease; after a crash another replica goes on when it is over. */
const LEASE = `now() + interval '15 seconds'`;

/** A freeze of which windows have to end, or requests have to be asked about again. */
export type FreezeWork = Pick<
  FreezeEntity,
  | 'id'
  | 'partnerId'
  | 'orgId'
  | 'level'
  | 'targetId'
  | 'reason'
  | 'createdBy'
  | 'createdByName'
  | 'createdAt'
  | 'done'
  | 'askedUpTo'
>;

/** A batch of requests about which people are asked again; `asked` with the last one. */
interface AskedAgain extends Pick<FreezeEntity, 'asked' | 'askedUpTo'> {
  readonly requestIds: readonly string[];
}

export interface Progress {
  readonly revoked: number;
  readonly withdrawn: number;
  readonly done: boolean;
}

const WORK = 'NOT done OR (ended_at IS NOT NULL AND NOT asked)';
const LEASE_ONE = `
  UPDATE pam_freezes SET leased_until = ${LEASE} WHERE id = (
    SELECT id FROM pam_freezes WHERE (${WORK}) AND (leased_until IS NULL OR leased_until < now()) ORDER BY created_at
      LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING id, partner_id, org_id, level, target_id, reason, created_by, created_by_name, created_at, done,
    asked_up_to`;
const RELEASE = 'UPDATE pam_freezes SET leased_until = NULL WHERE id = $1';
const NOTE = `
  UPDATE pam_freezes SET revoked = revoked + $2, withdrawn = withdrawn + $3, done = $4, leased_until = ${LEASE}
   WHERE id = $1 RETURNING extract(epoch FROM clock_timestamp() - created_at)::float8 AS seconds`;

/** SQL condition on a request: the freeze covers it. The parameter is the target. */
const COVERED: Readonly<Record<FreezeLevel, string>> = {
  partner: 'r.partner_id = $1',
  organization: 'r.org_id = $1',
  site: 'r.device_id IN (SELECT d.device_id FROM device_ref d WHERE d.site_id = $1)',
  device: 'r.device_id = $1',
};

/** Waits for rows that another transaction is changing, so that no window is passed over. */
const endWindows = (level: FreezeLevel): string =>
  withOutcome(`
  WITH open AS MATERIALIZED (
    SELECT r.id FROM elevation_requests r WHERE ${IS_ACTIVE} AND r.expires_at > now() AND ${COVERED[level]}
      AND coalesce(r.decided_at, r.requested_at) <= $2
     ORDER BY r.org_id, r.id LIMIT ${BATCH} FOR UPDATE OF r)
  UPDATE elevation_requests r SET status = '${TRANSITIONS.revoke.to}', revoked_by = $3, revoked_by_name = $4,
    revoke_reason = $5, ended_at = now() FROM open o WHERE r.id = o.id`);

const askAgain = (level: FreezeLevel): string => `
  WITH waiting AS MATERIALIZED (
    SELECT r.id, r.partner_id, r.org_id, ${SITE_NOW} AS site_id, r.device_id, ${isLockedDown('r')} AS locked_down
      FROM elevation_requests r WHERE r.status = 'pending' AND r.pending_until > now() AND ${COVERED[level]}
        AND r.id > $2 ORDER BY r.id LIMIT ${BATCH}
  ), questions AS (
    INSERT INTO approval_questions (elevation_request_id, partner_id, org_id, site_id, device_id, asked_up_to)
    SELECT w.id, w.partner_id, w.org_id, w.site_id, w.device_id, '${BEFORE_ALL_TECHNICIANS}' FROM waiting w
      WHERE NOT w.locked_down ON CONFLICT DO NOTHING
  )
  UPDATE pam_freezes SET asked = (SELECT count(*) FROM waiting) < ${BATCH}, leased_until = ${LEASE},
         asked_up_to = coalesce((SELECT w.id FROM waiting w ORDER BY w.id DESC LIMIT 1), asked_up_to)
   WHERE id = $3
  RETURNING asked, asked_up_to, ARRAY (SELECT w.id FROM waiting w WHERE NOT w.locked_down) AS request_ids`;

/** The target by which requests are found: after a merge that of an organisation is the survivor. */
const targetOf = ({ level, targetId, orgId }: FreezeWork): string => (level === 'organization' && orgId) || targetId;

/** The work that follows a freeze, in batches under a lease. */
@Injectable()
export class FreezeWorkRepository {
  /** Leases the oldest freeze with work left; null when there is none, or other replicas do it. */
  lease(tx: Tx): Promise<FreezeWork | null> {
    return tx.one<FreezeWork>(LEASE_ONE);
  }

  async release(tx: Tx, { id }: FreezeWork): Promise<void> {
    await tx.query(RELEASE, [id]);
  }

  /** Ends windows that opened before the freeze, at most {@link BATCH}. */
  endWindows(tx: Tx, freeze: FreezeWork): Promise<TransitionedRequest[]> {
    const { level, createdAt, createdBy, createdByName, reason } = freeze;
    return tx.query<TransitionedRequest>(endWindows(level), [
      targetOf(freeze),
      createdAt,
      createdBy,
      createdByName,
      reason,
    ]);
  }

  /** @returns the seconds since the freeze */
  async note(tx: Tx, { id }: FreezeWork, { revoked, withdrawn, done }: Progress): Promise<number> {
    return (await tx.one<{ seconds: number }>(NOTE, [id, revoked, withdrawn, done]))?.seconds ?? 0;
  }

  /** Stores questions about requests that still wait, unless another lockdown covers them. */
  async askAgain(tx: Tx, freeze: FreezeWork): Promise<AskedAgain> {
    const from = freeze.askedUpTo ?? BEFORE_ALL_TECHNICIANS;
    const row = await tx.one<AskedAgain>(askAgain(freeze.level), [targetOf(freeze), from, freeze.id]);
    return row ?? { asked: true, askedUpTo: null, requestIds: [] };
  }
}
