import type { AgentReportDto } from '@gatehouse/contracts-pam';
import { newId, sha256Hex } from '@gatehouse/crypto';
import { auditRow, outboxRow } from '@gatehouse/database';
import { type Decision, flagsOf, nothingSeen, type Observation, presentOrNull, ticketOf } from '@gatehouse/pam-domain';
import {
  type DecidedReport,
  decisionColumnsOf,
  type ReportRow,
  submissionAudit,
  submissionEvents,
} from '@gatehouse/pam-store';
import type { DeviceCaller } from '../agents/agent-devices.ts';

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
  reason: report.reason,
  ticket: report.ticket,
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

const flagsOfReport = (deviceHostname: string, report: AgentReportDto) =>
  flagsOf({
    flowType: 'uac_intercept',
    requestedAt: new Date(),
    deviceHostname,
    subjectUsername: report.subject_username,
    targetExecutablePath: report.target_executable_path,
    targetExecutableSigner: report.target_executable_signer ?? null,
    targetExecutablePublisher: report.target_executable_publisher ?? null,
    parentImage: report.parent_image ?? null,
    commandLine: report.command_line ?? null,
    toolName: null,
    riskTier: null,
    reason: report.reason ?? null,
    firstSeen: false,
  });

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
  flags: flagsOfReport(device.hostname, report),
  reason: report.reason,
  ticket: ticketOf(report.ticket),
  observed_at: report.observed_at,
  rulebook_version: version,
  duration_minutes: decision.approvalMinutes,
  ...decisionColumnsOf(decision),
});

/** Builds all that is stored for a decided report: its row, its audit entry and its events. */
export function decidedReport(
  caller: DeviceCaller,
  report: AgentReportDto,
  bodyHash: string,
  decided: Decided,
): DecidedReport {
  const { decision } = decided;
  const { partnerId, orgId, siteId, deviceId } = caller.device;
  const id = newId();
  const stored = decision.outcome !== 'ignored';
  const submitted = {
    id: stored ? id : null,
    deviceId,
    partnerId,
    orgId,
    siteId,
    flowType: 'uac_intercept' as const,
    actorId: deviceId,
  };
  const ticket = ticketOf(report.ticket);
  const about = {
    name: report.target_executable_path,
    details: { subjectUsername: report.subject_username, ...(ticket !== null && { ticket }) },
  };
  const events = submissionEvents(submitted, decision);
  return {
    bodyHash,
    stored,
    row: rowOf(caller, report, id, decided),
    outbox: [
      auditRow(SOURCE, caller, submissionAudit(submitted, decision, about)),
      ...events.map(({ type, fact }) =>
        outboxRow(SOURCE, caller, { subject: type.subject, aggregateId: id, data: fact }),
      ),
    ],
  };
}
