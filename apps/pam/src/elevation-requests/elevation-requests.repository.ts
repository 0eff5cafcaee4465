import { offsetOf, type Page, type TenantPlace, type TenantScope, type UserCaller } from '@gatehouse/contracts-core';
import {
  type ElevationStatus,
  type ListActiveElevationsQuery,
  type ListElevationRequestsQuery,
  MAX_ACTIVE_ROWS,
} from '@gatehouse/contracts-pam';
import { FROZEN_STATUSES } from '@gatehouse/contracts-tenancy';
import { type Conditions, type Reader, scoped, type Tx } from '@gatehouse/database';
import { ACTIVE_STATUSES, TRANSITIONS } from '@gatehouse/pam-domain';
import { ElevationCountsRepository } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import {
  HiddenOrganizationsRepository,
  ofReadable,
  outside,
} from '../organizations/hidden-organizations.repository.ts';
import type { Moved, StoredRow } from './elevation-request.view.ts';
import { RequestCountsRepository } from './request-counts.repository.ts';

/** SQL for the device's current site, which controls the visibility of a request. */
export const SITE_NOW = '(SELECT d.site_id FROM device_ref d WHERE d.device_id = r.device_id)';
const AT_SITES = 'r.device_id IN (SELECT d.device_id FROM device_ref d WHERE d.site_id = ANY (?::uuid[]))';
const TENANT = { partner: 'r.partner_id', org: 'r.org_id' };
const TENANT_AND_SITE = { ...TENANT, site: SITE_NOW };

export const ROW_COLUMNS = `r.id, r.org_id, r.device_id, coalesce(d.hostname, r.device_hostname) AS device_hostname, s.name AS site_name, r.flow_type, r.status,
  r.subject_username, r.target_executable_path, r.target_executable_signer, r.requested_at, r.approved_by_name, r.denied_by_name, r.revoked_by_name,
  r.matched_policy_name, r.pam_rule_id, r.pam_rule_name, r.decision_source, r.reason, r.expires_at, r.actuated_at, r.tool_name, r.tool_action AS action, r.risk_tier, r.action_digest`;
export const ROW_PLACE =
  'LEFT JOIN device_ref d ON d.device_id = r.device_id LEFT JOIN site_ref s ON s.site_id = d.site_id';

/**
 * SQL for the user who must not approve the request. An AI tool action has none: its own user is asked to confirm it.
 */
export const requesterOf = (row: string): string =>
  `CASE WHEN ${row}.flow_type = 'tech_jit_admin' THEN ${row}.requested_by END`;
const REQUESTER = requesterOf('r');

const listed = (statuses: readonly ElevationStatus[]): string => statuses.map((status) => `'${status}'`).join(', ');
/** The statuses are literals, not parameters: only then can the planner use the partial index of open requests. */
export const IS_ACTIVE = `r.status IN (${listed(ACTIVE_STATUSES)})`;
export const IS_OVER = `r.status IN (${listed(['pending', ...ACTIVE_STATUSES])}) AND CASE WHEN r.status = 'pending' THEN r.pending_until ELSE r.expires_at END <= now()`;

/** SQL for the current status: expired as soon as the time is over, even before the sweep has updated the row. */
export const STATUS_NOW = `CASE WHEN ${IS_OVER} THEN 'expired' ELSE r.status END`;

/** The columns of {@link Moved} from the row `r`. */
export const FACT_COLUMNS = `r.id, r.org_id, r.partner_id, ${SITE_NOW} AS site_id, r.device_id, r.device_hostname, r.flow_type, r.status, r.decision_source, r.pam_rule_id, r.matched_policy_id,
  r.tool_name, r.tool_action, r.risk_tier, r.action_digest`;
const STILL_PENDING = `r.status = ANY (?::text[]) AND r.pending_until > now() AND (r.timeout_at IS NULL OR r.timeout_at > now())`;
/** SQL condition: the device is no longer managed, so nothing may be granted to it. */
export const IS_RETIRED = `EXISTS (SELECT FROM device_ref d WHERE d.device_id = r.device_id AND (d.deleted OR d.status = 'decommissioned'))`;
const IN_SERVICE = `NOT ${IS_RETIRED}`;
const NOT_FROZEN =
  'NOT EXISTS (SELECT FROM org_ref o WHERE o.org_id = r.org_id AND (o.deleted OR o.status = ANY (?::text[])))';

/** The state of a request that a status change did not match, read afterwards to find the reason. */
export interface Obstacle extends TenantPlace {
  readonly status: ElevationStatus;
  readonly deviceId: string;
  readonly requestedBy: string | null;
  readonly timedOut: boolean;
  readonly frozen: boolean;
  /** The device is decommissioned or deleted. */
  readonly retired: boolean;
}

export interface Approval {
  readonly minutes: number;
  readonly reason: string | null;
}

/**
 * A request's id contains the time of its creation. The slack allows for clocks that differ between machines; they
 * never differ by an hour.
 */
const CLOCK_SLACK = "interval '1 hour'";
/**
 * Rows are stored in microseconds but shown in milliseconds, so the end of a range is extended by one millisecond to
 * include the row that shows it.
 */
const AS_SHOWN = "interval '1 millisecond'";

/**
 * Restricts rows to the devices that are now at the caller's sites; these are looked up once for a list, not for each
 * row.
 */
function inReach(scope: TenantScope): Conditions {
  const where = scoped(scope, TENANT);
  return scope.sites === 'all' ? where : where.add(AT_SITES, [...scope.sites]);
}

interface CountedQuery extends ListElevationRequestsQuery {
  readonly hidden: readonly string[];
}

@Injectable()
export class ElevationRequestsRepository {
  constructor(
    private readonly filtered: RequestCountsRepository,
    private readonly all: ElevationCountsRepository,
    private readonly hidden: HiddenOrganizationsRepository,
  ) {}

  async list(reader: Reader, scope: TenantScope, query: ListElevationRequestsQuery): Promise<Page<StoredRow>> {
    const hidden = await this.hidden.ids(reader, scope);
    const where = outside(inReach(scope), 'r.org_id', hidden)
      .add('r.status = ?', query.status)
      .add('r.flow_type = ?', query.flowType)
      .add('r.org_id = ?', query.orgId)
      .add('r.device_id = ?', query.deviceId)
      .add(AT_SITES, query.siteId && [query.siteId])
      .add(
        `r.requested_at >= ?::timestamptz AND r.id >= uuid_from_instant(greatest(?::timestamptz - ${CLOCK_SLACK}, 'epoch'))`,
        query.from,
      )
      .add(
        `r.requested_at < ?::timestamptz + ${AS_SHOWN} AND r.id <= uuid_from_instant(?::timestamptz + ${CLOCK_SLACK})`,
        query.to,
      );
    const total = (await this.kept(reader, scope, { ...query, hidden })) ?? (await this.filtered.count(reader, where));
    return { rows: await this.page(reader, where, [query.limit, offsetOf(query)]), total };
  }

  /** The maintained count, for a list without filters other than those by which counts are kept. */
  private async kept(
    reader: Reader,
    scope: TenantScope,
    { status, flowType, orgId, deviceId, siteId, from, to, hidden }: CountedQuery,
  ): Promise<number | null> {
    const isNarrower = [deviceId, siteId, from, to].some((filter) => filter !== undefined);
    return isNarrower ? null : this.all.total(reader, scope, { status, flowType, orgId, without: hidden });
  }

  /** The newest active windows, by the database's clock. */
  async active(reader: Reader, scope: TenantScope, { orgId }: ListActiveElevationsQuery): Promise<StoredRow[]> {
    const hidden = await this.hidden.ids(reader, scope);
    const where = outside(inReach(scope), 'r.org_id', hidden)
      .add('r.org_id = ?', orgId)
      .raw(IS_ACTIVE)
      .raw('r.expires_at > now()');
    return this.page(reader, where, [MAX_ACTIVE_ROWS, 0]);
  }

  /** Approves a request; the requester cannot (decisions, "tech_jit_admin"). */
  approve(tx: Tx, caller: UserCaller, id: string, { minutes, reason }: Approval): Promise<Moved | null> {
    const where = scoped(caller.scope, TENANT_AND_SITE, [id, caller.userId, caller.name, reason, minutes])
      .add(STILL_PENDING, TRANSITIONS.approve.from)
      .add(NOT_FROZEN, FROZEN_STATUSES)
      .raw(IN_SERVICE)
      .raw(`${REQUESTER} IS DISTINCT FROM $2`);
    return tx.one<Moved>(
      `UPDATE elevation_requests r SET status = '${TRANSITIONS.approve.to}', decision_source = 'human', decided_at = now(), approved_by = $2, approved_by_name = $3,
         decision_reason = $4, duration_minutes = $5, expires_at = now() + make_interval(mins => $5)
       WHERE r.id = $1 ${where.and} RETURNING ${FACT_COLUMNS}`,
      where.parameters,
    );
  }

  deny(tx: Tx, caller: UserCaller, id: string, reason: string | null): Promise<Moved | null> {
    const where = scoped(caller.scope, TENANT_AND_SITE, [id, caller.userId, caller.name, reason])
      .add(STILL_PENDING, TRANSITIONS.deny.from)
      .raw(ofReadable(caller.scope, 'r.org_id'));
    return tx.one<Moved>(
      `UPDATE elevation_requests r SET status = '${TRANSITIONS.deny.to}', decision_source = 'human', decided_at = now(), denied_by = $2, denied_by_name = $3, decision_reason = $4, ended_at = now()
       WHERE r.id = $1 ${where.and} RETURNING ${FACT_COLUMNS}`,
      where.parameters,
    );
  }

  revoke(tx: Tx, caller: UserCaller, id: string, reason: string): Promise<Moved | null> {
    const where = scoped(caller.scope, TENANT_AND_SITE, [id, caller.userId, caller.name, reason])
      .add('r.status = ANY (?::text[]) AND r.expires_at > now()', TRANSITIONS.revoke.from)
      .raw(ofReadable(caller.scope, 'r.org_id'));
    return tx.one<Moved>(
      `UPDATE elevation_requests r SET status = '${TRANSITIONS.revoke.to}', revoked_by = $2, revoked_by_name = $3, revoke_reason = $4, ended_at = now()
       WHERE r.id = $1 ${where.and} RETURNING ${FACT_COLUMNS}`,
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
  ): Promise<Moved | null> {
    const where = scoped(caller.scope, TENANT_AND_SITE, [id, deviceId, orgId])
      .add('r.status = ANY (?::text[]) AND r.expires_at > now()', TRANSITIONS.actuate.from)
      .add(NOT_FROZEN, FROZEN_STATUSES);
    return tx.one<Moved>(
      `UPDATE elevation_requests r SET status = '${TRANSITIONS.actuate.to}' WHERE r.id = $1 AND r.device_id = $2 AND r.org_id = $3 ${where.and} RETURNING ${FACT_COLUMNS}`,
      where.parameters,
    );
  }

  /** Reads why a status change matched no row; null when the caller's tenant has no such request. */
  obstacle(tx: Tx, scope: TenantScope, id: string): Promise<Obstacle | null> {
    const where = scoped(scope, TENANT, [id, FROZEN_STATUSES]).raw(ofReadable(scope, 'r.org_id'));
    return tx.one<Obstacle>(
      `SELECT ${STATUS_NOW} AS status,
         r.device_id, r.partner_id, r.org_id, ${SITE_NOW} AS site_id, ${REQUESTER} AS requested_by, coalesce(r.timeout_at <= now(), false) AS timed_out,
         EXISTS (SELECT FROM org_ref o WHERE o.org_id = r.org_id AND (o.deleted OR o.status = ANY ($2::text[]))) AS frozen,
         ${IS_RETIRED} AS retired
       FROM elevation_requests r WHERE r.id = $1 ${where.and}`,
      where.parameters,
    );
  }

  /** Finds the page's ids on the index first, then joins names for that page only. */
  private page(reader: Reader, where: Conditions, [limit, offset]: readonly [number, number]): Promise<StoredRow[]> {
    return reader.query<StoredRow>(
      `WITH page AS (SELECT r.id FROM elevation_requests r ${where.where} ORDER BY r.id DESC LIMIT ${where.bind(limit)} OFFSET ${where.bind(offset)})
       SELECT ${ROW_COLUMNS} FROM page JOIN elevation_requests r ON r.id = page.id ${ROW_PLACE} ORDER BY r.id DESC`,
      where.parameters,
    );
  }
}
