import { offsetOf, type Page, type TenantScope } from '@gatehouse/contracts-core';
import {
  type ActiveSort,
  type ListActiveElevationsQuery,
  type ListElevationRequestsQuery,
  MAX_ACTIVE_ROWS,
  type RequestSort,
} from '@gatehouse/contracts-pam';
import { FROZEN_STATUSES } from '@gatehouse/contracts-tenancy';
import { type Conditions, type Reader, scoped } from '@gatehouse/database';
import { ElevationCountsRepository } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { HiddenOrganizationsRepository, ofReadable, outside } from '../tenants/hidden-organizations.repository.ts';
import type { DetailRow, StoredRow } from './elevation-request.view.ts';
import { RequestCountsRepository } from './request-counts.repository.ts';
import { RequestHistoryRepository } from './request-history.repository.ts';
import { SearchedRequestsRepository } from './searched-requests.repository.ts';
import { AT_SITES, FIRST_SEEN, IS_ACTIVE, listed, ROW_COLUMNS, ROW_JOINS, TENANT } from './request-sql.repository.ts';
import { obstacleColumns } from './request-transitions.repository.ts';

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

const ASKED = `
  (SELECT min(a.created_at) FROM approvals a WHERE a.elevation_request_id = r.id) AS asked_at,
  (SELECT count(*) FROM approvals a WHERE a.elevation_request_id = r.id) AS asked_people`;

/**
 * Restricts rows to the devices that are now at the caller's sites; these are looked up once for a list, not for each
 * row.
 */
function inReach(scope: TenantScope): Conditions {
  const where = scoped(scope, TENANT);
  return scope.sites === 'all' ? where : where.add(AT_SITES, [...scope.sites]);
}

const SORT_COLUMNS = {
  requestedAt: 'r.id',
  pendingUntil: 'r.pending_until',
  expiresAt: 'r.expires_at',
  orgName: '(SELECT lower(n.name) FROM org_ref n WHERE n.org_id = r.org_id)',
  deviceHostname: `lower(coalesce((SELECT h.hostname FROM device_ref h WHERE h.device_id = r.device_id),
    r.device_hostname))`,
  subjectUsername: 'lower(r.subject_username)',
  risk: `(coalesce(cardinality(r.flags), 0) + (${FIRST_SEEN})::int)`,
} as const satisfies Readonly<Record<string, string>>;

/** SQL for the order of a list; requests that are equal in it are ordered by their ids. */
function orderOf(sort: RequestSort | ActiveSort = '-requestedAt'): string {
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  const column = SORT_COLUMNS[sort.replace('-', '') as keyof typeof SORT_COLUMNS];
  return column === 'r.id' ? `r.id ${direction}` : `${column} ${direction} NULLS LAST, r.id ${direction}`;
}

/** A page of a list; `truncated` is set for a search, which looks through the newest requests only. */
export type RequestPage = Page<StoredRow> & { readonly truncated?: boolean };

interface PageOrder {
  readonly order: string;
  readonly limit: number;
  readonly offset: number;
}

@Injectable()
export class ElevationRequestsRepository {
  constructor(
    private readonly filteredCounts: RequestCountsRepository,
    private readonly elevationCounts: ElevationCountsRepository,
    private readonly hiddenOrganizations: HiddenOrganizationsRepository,
    private readonly searchedRequests: SearchedRequestsRepository,
    private readonly requestHistory: RequestHistoryRepository,
  ) {}

  async list(reader: Reader, scope: TenantScope, query: ListElevationRequestsQuery): Promise<RequestPage> {
    const hidden = await this.hiddenOrganizations.ids(reader, scope);
    const where = filtered(outside(inReach(scope), 'r.org_id', hidden), query);
    await this.requestHistory.narrow(reader, scope, where, query);
    if (query.search !== undefined || query.decisionSource !== undefined) return this.searched(reader, where, query);
    const total =
      (await this.maintainedCount(reader, scope, query, hidden)) ?? (await this.filteredCounts.count(reader, where));
    const page = { order: orderOf(query.sort), limit: query.limit, offset: offsetOf(query) };
    return { rows: await this.page(reader, where, page), total };
  }

  private async searched(reader: Reader, where: Conditions, query: ListElevationRequestsQuery): Promise<RequestPage> {
    const order = orderOf(query.sort);
    const { ids, ...page } = await this.searchedRequests.find(reader, where, query, order);
    if (ids.length === 0) return { rows: [], ...page };
    const rows = await reader.query<StoredRow>(
      `SELECT ${ROW_COLUMNS} FROM elevation_requests r ${ROW_JOINS} WHERE r.id = ANY ($1::uuid[]) ORDER BY ${order}`,
      [ids],
    );
    return { rows, ...page };
  }

  /** The maintained count, for a list that is filtered only by what the counts distinguish. */
  private async maintainedCount(
    reader: Reader,
    scope: TenantScope,
    { status: statuses, flowType, orgId, page: _, limit: __, sort: ___, ...others }: ListElevationRequestsQuery,
    without: readonly string[],
  ): Promise<number | null> {
    const isNarrower = Object.values(others).some((filter) => filter !== undefined);
    return isNarrower ? null : this.elevationCounts.total(reader, scope, { statuses, flowType, orgId, without });
  }

  /** Lists the active windows by the database's clock. */
  async active(reader: Reader, scope: TenantScope, { orgId, sort }: ListActiveElevationsQuery): Promise<StoredRow[]> {
    const hidden = await this.hiddenOrganizations.ids(reader, scope);
    const where = outside(inReach(scope), 'r.org_id', hidden)
      .add('r.org_id = ?', orgId)
      .raw(IS_ACTIVE)
      .raw('r.expires_at > now()');
    return this.page(reader, where, { order: orderOf(sort), limit: MAX_ACTIVE_ROWS, offset: 0 });
  }

  /** Reads a request of the caller's tenant, at any site, with what its decision depends on. */
  find(reader: Reader, scope: TenantScope, id: string): Promise<DetailRow | null> {
    const where = scoped(scope, TENANT, [id, FROZEN_STATUSES]).raw(ofReadable(scope, 'r.org_id'));
    return reader.one<DetailRow>(
      `SELECT ${ROW_COLUMNS}, ${ASKED}, r.duration_minutes, r.timeout_at, r.ended_at, r.shadow,
        r.escalations, ${obstacleColumns('$2')}
       FROM elevation_requests r ${ROW_JOINS} WHERE r.id = $1 ${where.and}`,
      where.parameters,
    );
  }

  /** Finds the page's ids first, then joins names for that page only. */
  private page(reader: Reader, where: Conditions, { order, limit, offset }: PageOrder): Promise<StoredRow[]> {
    return reader.query<StoredRow>(
      `WITH page AS (SELECT r.id FROM elevation_requests r ${where.where} ORDER BY ${order}
        LIMIT ${where.bind(limit)} OFFSET ${where.bind(offset)})
       SELECT ${ROW_COLUMNS} FROM page JOIN elevation_requests r ON r.id = page.id ${ROW_JOINS} ORDER BY ${order}`,
      where.parameters,
    );
  }
}

/** The conditions but those of a search. */
function filtered(where: Conditions, query: ListElevationRequestsQuery): Conditions {
  // The statuses are literals, so that the planner can use the partial index of open requests.
  if (query.status) where.raw(`r.status IN (${listed([...new Set(query.status)].sort())})`);
  if (query.flag === 'first_seen') where.raw(FIRST_SEEN);
  else where.add('?::text = ANY (r.flags)', query.flag);
  return where
    .add('r.flow_type = ?', query.flowType)
    .add('r.org_id = ?', query.orgId)
    .add('r.device_id = ?', query.deviceId)
    .add(AT_SITES, query.siteId && [query.siteId])
    .add('r.pam_rule_id = ?', query.ruleId)
    .add(
      `r.requested_at >= ?::timestamptz
        AND r.id >= uuid_from_instant(greatest(?::timestamptz - ${CLOCK_SLACK}, 'epoch'))`,
      query.from,
    )
    .add(
      `r.requested_at < ?::timestamptz + ${AS_SHOWN} AND r.id <= uuid_from_instant(?::timestamptz + ${CLOCK_SLACK})`,
      query.to,
    );
}
