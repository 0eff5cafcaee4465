import type { TenantScope } from '@gatehouse/contracts-core';
import type { EarlierOutcome, ListElevationRequestsQuery, SharedWith } from '@gatehouse/contracts-pam';
import { type Conditions, type Reader, scoped } from '@gatehouse/database';
import type { DeviceCommandEntity } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { AT_SITES, daysBefore, FILE, OUTCOME, TENANT } from './request-sql.repository.ts';

const BEFORE_DAYS = 30;
/** The most earlier requests that are counted, so that a device that reports all the time costs no more than others. */
const MAX_COUNTED = 10_000;
const MAX_COMMANDS = 100;

export type CommandRow = Pick<
  DeviceCommandEntity,
  'id' | 'type' | 'status' | 'createdAt' | 'claimedAt' | 'finishedAt' | 'resultDetail'
>;

/** The number of earlier requests that share something with a request, by their outcome. */
export interface EarlierCount {
  readonly shared: SharedWith;
  readonly outcome: EarlierOutcome;
  readonly count: number;
}

function reachOf(scope: TenantScope, requestId: string): Conditions {
  const reach = scoped(scope, TENANT, [requestId]);
  return scope.sites === 'all' ? reach : reach.add(AT_SITES, [...scope.sites]);
}

/** What happened to a request and before it. */
@Injectable()
export class RequestHistoryRepository {
  /** The commands to the device about a request in the caller's reach. */
  commands(reader: Reader, scope: TenantScope, requestId: string): Promise<CommandRow[]> {
    const within = scoped(scope, { partner: 'c.partner_id' }, [requestId]);
    return reader.query<CommandRow>(
      `SELECT c.id, c.type, c.status, c.created_at, c.claimed_at, c.finished_at, c.result_detail
         FROM device_commands c WHERE c.elevation_request_id = $1 ${within.and} ORDER BY c.id LIMIT ${MAX_COMMANDS}`,
      within.parameters,
    );
  }

  /** Counts the earlier requests for the same file, on the same device and by the same user, in the caller's reach. */
  earlier(reader: Reader, scope: TenantScope, requestId: string): Promise<EarlierCount[]> {
    const reach = reachOf(scope, requestId);
    const since = daysBefore('n', BEFORE_DAYS);
    const counted = (shared: EarlierCount['shared'], rows: string): string => `
      SELECT '${shared}' AS shared, ${OUTCOME} AS outcome, count(*)::int AS count
        FROM (${rows} LIMIT ${MAX_COUNTED}) r WHERE true ${reach.and} GROUP BY 2`;
    const found = (earlier: string, value: string): string => `
      SELECT e.* FROM ${earlier}(n.org_id, ${value}, ${since}, n.id, ${MAX_COUNTED}) AS found (id)
        JOIN elevation_requests e ON e.id = found.id`;
    const ofDevice = `
      SELECT d.* FROM elevation_requests d WHERE d.org_id = n.org_id AND d.device_id = n.device_id AND d.id < n.id
        AND d.id >= ${since} ORDER BY d.id DESC`;
    return reader.query<EarlierCount>(
      `SELECT e.shared, e.outcome, e.count FROM (
         SELECT r.id, r.org_id, r.device_id, r.requested_at, ${FILE} AS file, lower(r.subject_username) AS username
           FROM elevation_requests r WHERE r.id = $1 ${reach.and}) n
       CROSS JOIN LATERAL (
         ${counted('device', ofDevice)} UNION ALL
         ${counted('file', found('earlier_requests_for_file', 'n.file'))} UNION ALL
         ${counted('user', found('earlier_requests_of_user', 'n.username'))}
       ) e`,
      reach.parameters,
    );
  }

  /** Narrows a list to the requests that {@link earlier} counts (PAM-380); of an unknown request there are none. */
  async narrow(
    reader: Reader,
    scope: TenantScope,
    where: Conditions,
    { earlierThan, shared, outcome }: ListElevationRequestsQuery,
  ): Promise<void> {
    if (earlierThan === undefined || shared === undefined) return;
    const reach = reachOf(scope, earlierThan);
    const known = await reader.one<{ orgId: string; device: string; file: string | null; user: string | null }>(
      `SELECT r.org_id, r.device_id AS device, CASE WHEN r.target_executable_path IS NOT NULL THEN ${FILE} END AS file,
        lower(r.subject_username) AS user FROM elevation_requests r WHERE r.id = $1 ${reach.and}`,
      reach.parameters,
    );
    const value = known?.[shared];
    if (!known || !value) return void where.raw('FALSE');
    const [org, id, other] = [known.orgId, earlierThan, value].map((one) => where.bind(one));
    const since = `(SELECT ${daysBefore('n', BEFORE_DAYS)} FROM elevation_requests n WHERE n.id = ${id}::uuid)`;
    const found = (earlier: string) =>
      `r.id IN (SELECT ${earlier}(${org}::uuid, ${other}::text, ${since}, ${id}::uuid, ${MAX_COUNTED}))`;
    const conditions = {
      device: `r.org_id = ${org}::uuid AND r.device_id = ${other}::uuid AND r.id < ${id}::uuid AND r.id >= ${since}`,
      file: found('earlier_requests_for_file'),
      user: found('earlier_requests_of_user'),
    };
    where.raw(conditions[shared]).add(`(${OUTCOME}) = ?`, outcome);
  }
}
