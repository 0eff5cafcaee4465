import { ProblemError, type TenantPlace, type TenantScope, type UserCaller } from '@gatehouse/contracts-core';
import type { ElevationStatus, FreezeMode } from '@gatehouse/contracts-pam';
import { FROZEN_STATUSES } from '@gatehouse/contracts-tenancy';
import { type Reader, scoped, type Tx } from '@gatehouse/database';
import { TRANSITIONS } from '@gatehouse/pam-domain';
import { freezeModeOf, holdRulebookOfRequest, isFrozen, isLateEdit, isLockedDown } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { ofReadable } from '../tenants/hidden-organizations.repository.ts';
import type { TransitionedRequest } from './transitioned-request.ts';
import {
  FACT_COLUMNS,
  IN_SERVICE,
  PRESENT_COLUMNS,
  REQUESTER,
  SITE_NOW,
  STATUS_NOW,
  TENANT,
  withOutcome,
} from './request-sql.repository.ts';

const TENANT_AND_SITE = { ...TENANT, site: SITE_NOW };
const STILL_PENDING = `r.status = ANY (?::text[]) AND r.pending_until > now()
  AND (r.timeout_at IS NULL OR r.timeout_at > now())`;
/** How long colleagues are told that a person looks at a request. */
const TAKEN_MINUTES = 10;
export type TakenRequest = TransitionedRequest & { readonly takenUntil: Date };
const NOT_FROZEN =
  'NOT EXISTS (SELECT FROM org_ref o WHERE o.org_id = r.org_id AND (o.deleted OR o.status = ANY (?::text[])))';

/** The state of a request that a status change did not match, read afterwards to find the reason. */
export interface RequestState extends TenantPlace {
  readonly statusNow: ElevationStatus;
  readonly deviceId: string;
  /** The requester if they must not approve the request. */
  readonly requester: string | null;
  /** The approval policy, not the flow, bars the requester. */
  readonly requesterBarred: boolean;
  /** The editors of the rule that matched, who must not approve; null where editors may. */
  readonly barredEditors: readonly string[] | null;
  readonly votesRequired: number;
  /** An approval has to come with a ticket. */
  readonly needsTicket: boolean;
  /** Who has approved, where several have to. */
  readonly voters: readonly string[];
  /** The account that a prompt asks for, where its own people may not approve it; null otherwise (PAM-303). */
  readonly ownAccount: string | null;
  readonly timedOut: boolean;
  readonly frozen: boolean;
  /** The device is decommissioned, deleted, or in another organisation. */
  readonly retired: boolean;
  /** The stricter mode of the emergency freezes that cover the device. */
  readonly freeze: FreezeMode | null;
}

export interface Approval {
  readonly minutes: number;
  readonly reason: string | null;
  /** How many votes were counted under the lock of the request; absent for a request that one person decides. */
  readonly votes?: number;
}

/** An empty text is part of every account, so a person without an address is judged under the lock too. */
const localPartOf = ({ email }: UserCaller): string => email.split('@', 1)[0]!.normalize('NFKC').toLowerCase();

const BY_ONE_PERSON = 'r.votes_required = 1 AND r.barred_editors IS NULL';

const GIVE_TICKET = `
  UPDATE elevation_requests r SET ticket = $2, needs_ticket = false
   WHERE r.id = $1 AND (r.ticket IS NULL OR r.needs_ticket
     OR NOT EXISTS (SELECT FROM elevation_votes v WHERE v.elevation_request_id = r.id AND v.voided_at IS NULL))`;

/** The author of a replay is an editor beside the person who applied it. */
const LATE_EDITORS = 'SELECT unnest(e.also_by || e.edited_by)';
const lateEditorsOf = (kind: string, id: string): string =>
  `${LATE_EDITORS} FROM rulebook_parts e WHERE e.kind = '${kind}' AND e.id = ${id} AND ${isLateEdit('e')}`;

/** SQL for the editors who must not vote: those at the time of the request, and who has edited the rule since. */
const BARRED_NOW = `
  CASE WHEN r.barred_editors IS NOT NULL THEN r.barred_editors || ARRAY(
    ${lateEditorsOf('rule', 'r.pam_rule_id')} UNION ALL ${lateEditorsOf('software_policy', 'r.matched_policy_id')}
    UNION ALL ${LATE_EDITORS} FROM pam_rules u JOIN rulebook_parts e ON e.kind = 'signer_group'
      AND e.id = u.match_signer_group_id AND ${isLateEdit('e')} WHERE u.id = r.pam_rule_id) END`;

/** SQL for the account of a prompt, where the organisation does not let people approve their own. */
const OWN_ACCOUNT = `CASE WHEN r.flow_type = 'uac_intercept' AND NOT coalesce((SELECT c.allow_self_approval FROM pam_config c
  WHERE c.org_id = r.org_id), false) THEN r.subject_username END`;

/**
 * SQL condition: the account of a prompt cannot be the approver's. It passes over no account that is; one that it
 * suspects is judged under the lock of the request.
 */
const isForeignAccount = (localPart: string): string =>
  `(r.flow_type <> 'uac_intercept' OR position(${localPart} IN lower(normalize(coalesce(r.subject_username, ''), NFKC))) = 0)`;

/** SQL for the members of {@link RequestState} but the place. @param frozen the placeholder of the frozen statuses */
export const obstacleColumns = (frozen: string): string => `
  ${STATUS_NOW} AS status_now, r.partner_id, ${REQUESTER} AS requester, r.requester_barred, ${OWN_ACCOUNT} AS own_account,
    ${BARRED_NOW} AS barred_editors, r.votes_required, r.needs_ticket,
  ARRAY(SELECT v.user_id FROM elevation_votes v WHERE v.elevation_request_id = r.id
    AND v.voided_at IS NULL) AS voters, coalesce(r.timeout_at <= now(), false) AS timed_out,
  EXISTS (SELECT FROM org_ref f WHERE f.org_id = r.org_id
    AND (f.deleted OR f.status = ANY (${frozen}::text[]))) AS frozen, NOT (${IN_SERVICE}) AS retired,
    ${freezeModeOf('r')} AS freeze`;

/** Reads a request as it is at this moment, for the answer to a repeated call (PAM-300). */
export async function presentRequest(reader: Reader, scope: TenantScope, id: string): Promise<TransitionedRequest> {
  const where = scoped(scope, TENANT, [id]).raw(ofReadable(scope, 'r.org_id'));
  const moved = await reader.one<TransitionedRequest>(
    `SELECT ${PRESENT_COLUMNS} FROM elevation_requests r WHERE r.id = $1 ${where.and}`,
    where.parameters,
  );
  if (!moved) throw new ProblemError('elevation_request_not_found', 'There is no such elevation request.');
  return moved;
}

/** Status changes, each a compare-and-swap: null when the request was not in the status that the change needs. */
@Injectable()
export class RequestTransitionsRepository {
  /**
   * Locks the rulebook of the request's organisation until the transaction ends. A freeze takes the same lock, so it
   * commits either before the change that follows, which then sees it, or after it (PAM-152).
   */
  holdRulebook(tx: Tx, id: string): Promise<void> {
    return holdRulebookOfRequest(tx, id);
  }

  /**
   * Approves a request; the requester cannot (decisions, "tech_jit_admin"), nor can one person where several have to.
   */
  approve(
    tx: Tx,
    caller: UserCaller,
    id: string,
    { minutes, reason, votes }: Approval,
  ): Promise<TransitionedRequest | null> {
    const where = scoped(caller.scope, TENANT_AND_SITE, [id, caller.userId, caller.name, reason, minutes])
      .add(STILL_PENDING, TRANSITIONS.approve.from)
      .add(NOT_FROZEN, FROZEN_STATUSES)
      .raw(IN_SERVICE)
      .raw(`NOT ${isLockedDown('r')}`)
      .raw('NOT r.needs_ticket')
      .raw(`${REQUESTER} IS DISTINCT FROM $2`);
    if (votes === undefined) where.raw(BY_ONE_PERSON).raw(isForeignAccount(`${where.bind(localPartOf(caller))}::text`));
    else where.add('r.votes_required <= ?', votes);
    return tx.one<TransitionedRequest>(
      withOutcome(`UPDATE elevation_requests r SET status = '${TRANSITIONS.approve.to}', decision_source = 'human',
        decided_at = now(), approved_by = $2, approved_by_name = $3,
         decision_reason = $4, duration_minutes = $5, expires_at = now() + make_interval(mins => $5)
       WHERE r.id = $1 ${where.and}`),
      where.parameters,
    );
  }

  /** A ticket that earlier voters have seen stays. Call this only for a request read by {@link lock}. */
  async giveTicket(tx: Tx, id: string, ticket: string): Promise<void> {
    await tx.query(GIVE_TICKET, [id, ticket]);
  }

  deny(tx: Tx, caller: UserCaller, id: string, reason: string | null): Promise<TransitionedRequest | null> {
    const where = scoped(caller.scope, TENANT_AND_SITE, [id, caller.userId, caller.name, reason])
      .add(STILL_PENDING, TRANSITIONS.deny.from)
      .add(NOT_FROZEN, FROZEN_STATUSES);
    return tx.one<TransitionedRequest>(
      withOutcome(`UPDATE elevation_requests r SET status = '${TRANSITIONS.deny.to}', decision_source = 'human',
        decided_at = now(), denied_by = $2, denied_by_name = $3, decision_reason = $4, ended_at = now()
       WHERE r.id = $1 ${where.and}`),
      where.parameters,
    );
  }

  /** Tells colleagues for a while that the caller looks at the request, in place of another who did (PAM-382). */
  take(tx: Tx, caller: UserCaller, id: string): Promise<TakenRequest | null> {
    const where = scoped(caller.scope, TENANT_AND_SITE, [id, caller.userId, caller.name])
      .add(STILL_PENDING, TRANSITIONS.deny.from)
      .raw(ofReadable(caller.scope, 'r.org_id'));
    return tx.one<TakenRequest>(
      `UPDATE elevation_requests r SET taken_by = $2, taken_by_name = $3,
        taken_until = now() + interval '${TAKEN_MINUTES} minutes'
       WHERE r.id = $1 ${where.and} RETURNING ${FACT_COLUMNS}, r.taken_until`,
      where.parameters,
    );
  }

  /** Ends that; null where the caller did not look at it. */
  release(tx: Tx, caller: UserCaller, id: string): Promise<TransitionedRequest | null> {
    const where = scoped(caller.scope, TENANT_AND_SITE, [id, caller.userId])
      .add(STILL_PENDING, TRANSITIONS.deny.from)
      .raw(ofReadable(caller.scope, 'r.org_id'));
    return tx.one<TransitionedRequest>(
      `UPDATE elevation_requests r SET taken_by = NULL, taken_by_name = NULL, taken_until = NULL
       WHERE r.id = $1 AND r.taken_by = $2 AND r.taken_until > now() ${where.and} RETURNING ${FACT_COLUMNS}`,
      where.parameters,
    );
  }

  revoke(tx: Tx, caller: UserCaller, id: string, reason: string): Promise<TransitionedRequest | null> {
    const where = scoped(caller.scope, TENANT_AND_SITE, [id, caller.userId, caller.name, reason])
      .add('r.status = ANY (?::text[]) AND r.expires_at > now()', TRANSITIONS.revoke.from)
      .raw(ofReadable(caller.scope, 'r.org_id'));
    return tx.one<TransitionedRequest>(
      withOutcome(`UPDATE elevation_requests r SET status = '${TRANSITIONS.revoke.to}', revoked_by = $2,
        revoked_by_name = $3, revoke_reason = $4, ended_at = now()
       WHERE r.id = $1 ${where.and}`),
      where.parameters,
    );
  }

  /**
   * Claims the approval by a compare-and-swap: of several concurrent calls, one gets the row. An approval granted by
   * another organisation, before the device moved, does not count.
   */
  actuate(
    tx: Tx,
    caller: UserCaller,
    id: string,
    { deviceId, orgId }: { readonly deviceId: string; readonly orgId: string },
  ): Promise<TransitionedRequest | null> {
    const where = scoped(caller.scope, TENANT_AND_SITE, [id, deviceId, orgId])
      .add('r.status = ANY (?::text[]) AND r.expires_at > now()', TRANSITIONS.actuate.from)
      .add(NOT_FROZEN, FROZEN_STATUSES)
      .raw(`NOT ${isFrozen('r')}`);
    return tx.one<TransitionedRequest>(
      `UPDATE elevation_requests r SET status = '${TRANSITIONS.actuate.to}' WHERE r.id = $1 AND r.device_id = $2
        AND r.org_id = $3 ${where.and} RETURNING ${FACT_COLUMNS}`,
      where.parameters,
    );
  }

  /** Reads why a status change matched no row; null when the caller's tenant has no such request. */
  obstacle(tx: Tx, scope: TenantScope, id: string): Promise<RequestState | null> {
    return this.obstacleOf(tx, scope, { id, locking: '' });
  }

  /** As {@link obstacle}, but locks the request until the transaction ends. */
  lock(tx: Tx, scope: TenantScope, id: string): Promise<RequestState | null> {
    return this.obstacleOf(tx, scope, { id, locking: 'FOR NO KEY UPDATE OF r' });
  }

  private obstacleOf(
    tx: Tx,
    scope: TenantScope,
    { id, locking }: { readonly id: string; readonly locking: string },
  ): Promise<RequestState | null> {
    const where = scoped(scope, TENANT, [id, FROZEN_STATUSES]).raw(ofReadable(scope, 'r.org_id'));
    return tx.one<RequestState>(
      `SELECT r.device_id, r.org_id, ${SITE_NOW} AS site_id, ${obstacleColumns('$2')}
       FROM elevation_requests r WHERE r.id = $1 ${where.and} ${locking}`,
      where.parameters,
    );
  }
}
