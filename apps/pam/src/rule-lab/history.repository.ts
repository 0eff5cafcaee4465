import type { TenantScope } from '@gatehouse/contracts-core';
import type { DecisionSource, ElevationStatus, FlowType } from '@gatehouse/contracts-pam';
import { type Conditions, type Reader, scoped } from '@gatehouse/database';
import { nothingSeen, type Observation } from '@gatehouse/pam-domain';
import { Injectable } from '@nestjs/common';
import { accountOf } from '../rules/lint-source.repository.ts';
import { GROUPS_NOW, SITE_NOW, STATUS_NOW } from '../requests/request-sql.repository.ts';

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
export interface Requester {
  readonly userId: string;
  readonly email: string | null;
}

interface Row {
  readonly id: string;
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string | null;
  readonly groupIds: string[] | null;
  readonly formerPlaces: string[] | null;
  readonly deviceId: string;
  readonly deviceHostname: string;
  readonly decisionSource: DecisionSource | null;
  readonly flowType: FlowType;
  readonly status: ElevationStatus;
  readonly requestedAt: Date;
  readonly subjectUsername: string | null;
  readonly requestedBy: string | null;
  readonly targetExecutablePath: string | null;
  readonly targetExecutableHash: string | null;
  readonly targetExecutableSigner: string | null;
  readonly targetExecutablePublisher: string | null;
  readonly parentImage: string | null;
  readonly commandLine: string | null;
  readonly adGroups: string[] | null;
  readonly toolName: string | null;
  readonly riskTier: number | null;
  readonly reason: string | null;
  readonly ticket: string | null;
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

const COLUMNS = `r.id, r.partner_id, r.org_id, ${SITE_NOW} AS site_id, ${GROUPS_NOW},
  r.device_id, r.device_hostname, r.decision_source, r.flow_type, ${STATUS_NOW} AS status, r.requested_at,
  r.subject_username, r.requested_by, r.target_executable_path, r.target_executable_hash, r.target_executable_signer,
    r.target_executable_publisher, r.parent_image, r.command_line, r.ad_groups, r.tool_name, r.risk_tier, r.reason,
    r.ticket`;

function entryOf(row: Row): HistoryEntry {
  const { id, requestedAt, flowType, status, partnerId, orgId, deviceId } = row;
  const { deviceHostname: hostname } = row;
  const [siteId, groupIds, formerPlaces] = [row.siteId ?? '', row.groupIds ?? [], row.formerPlaces ?? []];
  const place = { partnerId, orgId, deviceId, siteId, groupIds, formerPlaces, hostname };
  const observation: Observation = {
    ...nothingSeen(flowType, place, requestedAt),
    username: row.subjectUsername,
    requesterId: row.requestedBy,
    path: row.targetExecutablePath,
    hash: row.targetExecutableHash,
    signer: row.targetExecutableSigner,
    publisher: row.targetExecutablePublisher,
    parentImage: row.parentImage,
    commandLine: row.commandLine,
    adGroups: row.adGroups ?? [],
    toolName: row.toolName,
    riskTier: row.riskTier,
    reason: row.reason,
    ticket: row.ticket,
  };
  const { decisionSource: source, deviceHostname } = row;
  return { id, requestedAt, flowType, status, source, deviceHostname, observation };
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
    const rows = await reader.query<Row>(
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
