import type { TenantScope } from '@gatehouse/contracts-core';
import type { DecisionSource, ElevationStatus, FlowType } from '@gatehouse/contracts-pam';
import { type Conditions, type Reader, scoped } from '@gatehouse/database';
import type { Observation } from '@gatehouse/pam-domain';
import { Injectable } from '@nestjs/common';
import { accountOf } from '../rules/lint-source.repository.ts';
import { OBSERVED_COLUMNS, type ObservedRequest, observationOf } from '../requests/explained-requests.repository.ts';
import { SITE_NOW, STATUS_NOW } from '../requests/request-sql.repository.ts';

export interface HistoryWindow {
  readonly orgId: string;
  readonly flowType?: FlowType;
  readonly windowDays?: number;
  /** The beginning of the window, where it is not counted from now. */
  readonly since?: Date;
  /** Returns only requests older than this id: the cursor of the pagination. */
  readonly before?: string;
  /** Only requests that were made until then, from this one on, by this person. */
  readonly until?: Date;
  readonly from?: string;
  readonly requester?: Requester;
  readonly limit: number;
}

/** A person, to whom a request also belongs when a device reported it under the name of their account. */
interface Requester {
  readonly userId: string;
  readonly email: string | null;
}

export interface HistoryEntry {
  readonly id: string;
  readonly requestedAt: Date;
  readonly flowType: FlowType;
  readonly status: ElevationStatus;
  readonly source: DecisionSource | null;
  readonly deviceHostname: string;
  readonly observation: Observation;
}

const COLUMNS = `${OBSERVED_COLUMNS}, ${STATUS_NOW} AS status`;

function entryOf(row: ObservedRequest): HistoryEntry {
  const { id, requestedAt, flowType, status, decisionSource: source, deviceHostname } = row;
  return { id, requestedAt, flowType, status, source, deviceHostname, observation: observationOf(row) };
}

const within = (
  scope: TenantScope,
  { orgId, flowType, windowDays, since, until, from, requester }: HistoryWindow,
): Conditions => {
  const where = scoped(scope, { partner: 'r.partner_id', org: 'r.org_id', site: SITE_NOW })
    .add('r.org_id = ?', orgId)
    .add('r.flow_type = ?', flowType)
    .add('r.id >= uuid_from_instant(?::timestamptz)', since)
    .add('r.id >= uuid_from_instant(now() - make_interval(days => ?))', windowDays)
    .add('r.id < uuid_from_instant(?::timestamptz)', until)
    .add('r.id >= ?::uuid', from);
  if (!requester) return where;
  const [userId, email] = [where.bind(requester.userId), where.bind(requester.email ?? '')];
  return where.raw(
    `(r.requested_by = ${userId}::uuid OR ${accountOf('r.subject_username')} = ${accountOf(`${email}::text`)})`,
  );
};

/** Past requests as observations for the rules. */
@Injectable()
export class HistoryRepository {
  /** Newest first. */
  async page(reader: Reader, scope: TenantScope, window: HistoryWindow): Promise<HistoryEntry[]> {
    const where = within(scope, window).add('r.id < ?::uuid', window.before);
    const rows = await reader.query<ObservedRequest>(
      `SELECT ${COLUMNS} FROM elevation_requests r ${where.where} ORDER BY r.id DESC LIMIT ${where.bind(window.limit)}`,
      where.parameters,
    );
    return rows.map(entryOf);
  }

  /** How many requests the window holds, counted up to its limit. */
  async count(reader: Reader, scope: TenantScope, window: HistoryWindow): Promise<number> {
    const where = within(scope, window);
    const counted = await reader.one<{ count: number }>(
      `SELECT count(*) AS count FROM (SELECT FROM elevation_requests r ${where.where}
        LIMIT ${where.bind(window.limit)}) AS r`,
      where.parameters,
    );
    return counted?.count ?? 0;
  }
}
