import type { AuditEntry } from '@gatehouse/contracts-core';
import {
  type AgentReportDto,
  ElevationAutoApproved,
  ElevationDenied,
  type ElevationFact,
  ElevationRequested,
} from '@gatehouse/contracts-pam';
import { newId, sha256Hex } from '@gatehouse/crypto';
import { auditRow, outboxRow, type OutboxRow } from '@gatehouse/database';
import { auditDetailsOf, type Decision, nothingSeen, type Observation, presentOrNull } from '@gatehouse/pam-domain';
import type { DecidedReport, ReportRow } from '@gatehouse/pam-store';
import type { DeviceCaller } from '../agents/token-authenticator.ts';

const SOURCE = 'pam-ingest';

/**
 * Maps a report to the observation that rules look at. @param at the server's time: the agent's clock is not trusted,
 * so it cannot open a time window
 */
export const observationOf = ({ device }: DeviceCaller, report: AgentReportDto, at: Date): Observation => ({
  ...nothingSeen('uac_intercept', device, at),
  username: report.subject_username,
  path: report.target_executable_path,
  hash: report.target_executable_hash ?? null,
  signer: report.target_executable_signer ?? null,
  publisher: report.target_executable_publisher ?? null,
  parentImage: report.parent_image ?? null,
  commandLine: report.command_line ?? null,
  adGroups: report.ad_groups ?? [],
});

/** Hashes the canonical JSON, so that formatting and the order of members do not matter. */
export const hashOf = (report: AgentReportDto): string =>
  sha256Hex(
    JSON.stringify(
      Object.entries(report)
        .filter(([, value]) => value !== null && value !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  );

interface Decided {
  readonly decision: Decision;
  /** The rulebook's version; null when no rulebook was usable. */
  readonly version: number | null;
}

const rowOf = (
  { device }: DeviceCaller,
  report: AgentReportDto,
  id: string,
  { decision, version }: Decided,
): ReportRow => ({
  id,
  partner_id: device.partnerId,
  org_id: device.orgId,
  device_id: device.deviceId,
  device_hostname: device.hostname,
  device_version: device.version,
  flow_type: 'uac_intercept',
  status: decision.outcome,
  subject_username: report.subject_username,
  target_executable_path: report.target_executable_path,
  target_executable_hash: report.target_executable_hash?.toLowerCase(),
  target_executable_signer: presentOrNull(report.target_executable_signer),
  target_executable_signer_thumbprint: report.target_executable_signer_thumbprint,
  target_executable_publisher: report.target_executable_publisher,
  pid: report.pid,
  parent_image: report.parent_image,
  command_line: report.command_line,
  ad_groups: report.ad_groups,
  reason: report.reason,
  observed_at: report.observed_at,
  rulebook_version: version,
  decision_source: decision.source,
  matched_policy_id: decision.policy?.id,
  matched_policy_name: decision.policy?.name,
  pam_rule_id: decision.rule?.id,
  pam_rule_name: decision.rule?.name,
  duration_minutes: decision.approvalMinutes,
  held: decision.held,
  costliest_id: decision.costliest?.id,
});

function auditOf({ device }: DeviceCaller, report: AgentReportDto, id: string | null, decision: Decision): AuditEntry {
  return {
    action: decision.outcome === 'ignored' ? 'pam.elevation_request.ignore' : 'pam.elevation_request.submit',
    resource: { type: 'pam.elevation_request', id, name: report.target_executable_path },
    siteId: device.siteId,
    details: {
      status: decision.outcome,
      deviceId: device.deviceId,
      flowType: 'uac_intercept',
      subjectUsername: report.subject_username,
      decisionSource: decision.source,
      ruleId: decision.rule?.id ?? null,
      policyId: decision.policy?.id ?? null,
      ...auditDetailsOf(decision),
    },
  };
}

function eventsOf(caller: DeviceCaller, id: string, decision: Decision): OutboxRow[] {
  if (decision.outcome === 'ignored') return [];
  const { orgId, partnerId, siteId, deviceId } = caller.device;
  const fact: ElevationFact = {
    elevationRequestId: id,
    orgId,
    partnerId,
    siteId,
    deviceId,
    flowType: 'uac_intercept',
    status: decision.outcome,
    decisionSource: decision.source,
    ruleId: decision.rule?.id ?? null,
    policyId: decision.policy?.id ?? null,
    actorId: deviceId,
  };
  const decided = { auto_approved: ElevationAutoApproved, denied: ElevationDenied, pending: null }[decision.outcome];
  return [ElevationRequested, decided].flatMap((event) =>
    event ? [outboxRow(SOURCE, caller, { subject: event.subject, aggregateId: id, data: fact })] : [],
  );
}

/** Builds all that is stored for a decided report: its row, its audit entry and its events. */
export function decidedReport(
  caller: DeviceCaller,
  report: AgentReportDto,
  bodyHash: string,
  decided: Decided,
): DecidedReport {
  const id = newId();
  const stored = decided.decision.outcome !== 'ignored';
  const audit = auditRow(SOURCE, caller, auditOf(caller, report, stored ? id : null, decided.decision));
  return {
    bodyHash,
    stored,
    row: rowOf(caller, report, id, decided),
    outbox: [audit, ...eventsOf(caller, id, decided.decision)],
  };
}
