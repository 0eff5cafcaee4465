import type { TenantPlace, TenantScope } from '@gatehouse/contracts-core';
import type { DecisionSource, ElevationStatus, FlowType } from '@gatehouse/contracts-pam';
import { type Reader, scoped } from '@gatehouse/database';
import type { Hold, Observation } from '@gatehouse/pam-domain';
import { Injectable } from '@nestjs/common';
import { ofReadable } from '../tenants/hidden-organizations.repository.ts';
import { GROUPS_NOW, OUTCOME, SITE_NOW, STATUS_NOW, TENANT } from './request-sql.repository.ts';

/** A stored request with all that rules looked at. */
export interface ObservedRequest extends TenantPlace {
  readonly id: string;
  readonly orgId: string;
  readonly partnerId: string;
  readonly deviceId: string;
  readonly deviceHostname: string;
  readonly groupIds: string[] | null;
  readonly formerPlaces: string[] | null;
  readonly flowType: FlowType;
  readonly status: ElevationStatus;
  readonly decisionSource: DecisionSource | null;
  readonly held?: Hold | null;
  readonly requestedAt: Date;
  readonly requestedBy: string | null;
  readonly subjectUsername: string | null;
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

/** A stored request with its decision too. */
export interface ExplainedRequest extends ObservedRequest {
  readonly statusNow: ElevationStatus;
  /** What was decided: a grant stays a grant after its window has ended. */
  readonly cameTo: ElevationStatus;
  readonly held: Hold | null;
  /** Null when no rulebook was usable. */
  readonly rulebookVersion: number | null;
}

export interface Editor {
  readonly userId: string;
  readonly name: string;
}

export const OBSERVED_COLUMNS = `r.id, r.org_id, r.partner_id, r.device_id, r.device_hostname, ${SITE_NOW} AS site_id,
  ${GROUPS_NOW}, r.flow_type, r.decision_source, r.requested_at, r.requested_by,
  r.subject_username, r.target_executable_path, r.target_executable_hash, r.target_executable_signer,
    r.target_executable_publisher, r.parent_image, r.command_line, r.ad_groups, r.tool_name, r.risk_tier,
    r.reason, r.ticket`;
const COLUMNS = `${OBSERVED_COLUMNS}, r.status, ${STATUS_NOW} AS status_now, ${OUTCOME} AS came_to, r.held,
  r.rulebook_version`;

// The author, and who changed the rule or its signer group during the 30 days before, or whose work that was besides.
const EDITORS = `
  WITH states AS (
    SELECT p.* FROM rulebook_parts p WHERE p.kind = 'rule' AND p.id = $1 AND p.valid_from <= $2
    UNION ALL
    SELECT g.* FROM rulebook_parts r JOIN rulebook_parts g ON g.kind = 'signer_group'
      AND g.id = (r.value->>'match_signer_group_id')::uuid AND g.valid_from <= $2
     WHERE r.kind = 'rule' AND r.id = $1 AND r.valid_from <= $2 AND $2 < r.valid_to
  ), editors AS (
    SELECT (value->>'created_by')::uuid AS user_id FROM states
    UNION SELECT unnest(also_by || edited_by) FROM states WHERE valid_from > $2::timestamptz - interval '30 days'
  )
  SELECT e.user_id, coalesce(t.name, '') AS name FROM editors e LEFT JOIN technician_ref t ON t.user_id = e.user_id
    WHERE e.user_id IS NOT NULL ORDER BY 2, 1 LIMIT 1000`;

/** A justification that came after the decision is none that it saw. */
const justificationOf = ({ held, reason, ticket }: ObservedRequest): Pick<Observation, 'reason' | 'ticket'> =>
  held === 'justification_missing' ? {} : { reason, ticket };

export const observationOf = (row: ObservedRequest): Observation => ({
  flowType: row.flowType,
  place: {
    partnerId: row.partnerId,
    orgId: row.orgId,
    deviceId: row.deviceId,
    siteId: row.siteId ?? '',
    groupIds: row.groupIds ?? [],
    formerPlaces: row.formerPlaces ?? [],
    hostname: row.deviceHostname,
  },
  at: row.requestedAt,
  username: row.subjectUsername,
  path: row.targetExecutablePath,
  hash: row.targetExecutableHash,
  signer: row.targetExecutableSigner,
  publisher: row.targetExecutablePublisher,
  parentImage: row.parentImage,
  commandLine: row.commandLine,
  adGroups: row.adGroups ?? [],
  toolName: row.toolName,
  riskTier: row.riskTier,
  requesterId: row.requestedBy,
  ...justificationOf(row),
});

@Injectable()
export class ExplainedRequestsRepository {
  /** Reads a request of the caller's tenant, at any site. */
  find(reader: Reader, scope: TenantScope, id: string): Promise<ExplainedRequest | null> {
    const where = scoped(scope, TENANT, [id]).raw(ofReadable(scope, 'r.org_id'));
    return reader.one<ExplainedRequest>(
      `SELECT ${COLUMNS} FROM elevation_requests r WHERE r.id = $1 ${where.and}`,
      where.parameters,
    );
  }

  /** The editors of a rule and of its signer group as they counted at an instant. */
  editors(reader: Reader, ruleId: string, at: Date): Promise<Editor[]> {
    return reader.query<Editor>(EDITORS, [ruleId, at]);
  }
}
