import type { TenantScope } from '@gatehouse/contracts-core';
import { type Reader, scoped } from '@gatehouse/database';
import type { DeviceCommandEntity } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { AT_SITES, fileOf, isSameFile, OUTCOME, TENANT } from './request-sql.repository.ts';

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
  readonly shared: 'file' | 'device' | 'user';
  readonly outcome: 'auto_approved' | 'approved' | 'denied' | 'expired' | 'pending';
  readonly count: number;
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
    const reach = scoped(scope, TENANT, [requestId]);
    if (scope.sites !== 'all') reach.add(AT_SITES, [...scope.sites]);
    const counted = (shared: EarlierCount['shared'], condition: string): string => `
      SELECT '${shared}' AS shared, t.outcome, count(*)::int AS count FROM (
        SELECT ${OUTCOME} AS outcome FROM elevation_requests r
         WHERE r.org_id = n.org_id AND ${condition} AND r.id < n.id
           AND r.id >= uuid_from_instant(n.requested_at - interval '${BEFORE_DAYS} days')
               ${reach.and} ORDER BY r.id DESC LIMIT ${MAX_COUNTED}) t
      GROUP BY t.outcome`;
    return reader.query<EarlierCount>(
      `SELECT e.shared, e.outcome, e.count FROM (
         SELECT r.id, r.org_id, r.device_id, r.requested_at, ${fileOf('r')} AS file,
           lower(r.subject_username) AS username
           FROM elevation_requests r WHERE r.id = $1 ${reach.and}) n
       CROSS JOIN LATERAL (
         ${counted('device', 'r.device_id = n.device_id')} UNION ALL
         ${counted('file', isSameFile('r', 'n.file'))} UNION ALL
         ${counted('user', 'r.subject_username IS NOT NULL AND hashtextextended(lower(r.subject_username), 0) = hashtextextended(n.username, 0) AND lower(r.subject_username) = n.username')}
       ) e`,
      reach.parameters,
    );
  }
}
