import type { UserCaller } from '@gatehouse/contracts-core';
import type { SqlParameter, Tx } from '@gatehouse/database';
import { type Decision, flagsOf } from '@gatehouse/pam-domain';
import { decisionColumnsOf, needsTicketOf, strictestDemandOf } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import type { Device } from '../tenants/devices.repository.ts';
import type { TransitionedRequest } from './transitioned-request.ts';
import { FACT_COLUMNS } from './request-sql.repository.ts';

/** The content of a request, apart from the device and the requester. */
export interface Ask {
  readonly flowType: 'tech_jit_admin' | 'ai_tool_action';
  readonly reason: string | null;
  readonly ticket: string | null;
  readonly durationMinutes: number | null;
  readonly tool: {
    readonly name: string;
    readonly action: string | null;
    readonly input: object;
    readonly riskTier: number;
    readonly digest: string;
    readonly timeoutSeconds: number;
  } | null;
}

export interface Submission {
  readonly id: string;
  readonly ask: Ask;
  readonly device: Device;
  readonly decision: Decision;
  readonly version: number;
  readonly minutes: number | null;
  readonly pendingMinutes: number;
}

const COLUMNS = [
  'id',
  'partner_id',
  'org_id',
  'device_id',
  'device_hostname',
  'flow_type',
  'subject_username',
  'reason',
  'ticket',
  'requested_by',
  'requested_by_name',
  'requester_provider_id',
  'tool_name',
  'tool_action',
  'tool_input',
  'risk_tier',
  'action_digest',
  'rulebook_version',
  'duration_minutes',
  'status',
  'decision_source',
  'matched_policy_id',
  'matched_policy_name',
  'pam_rule_id',
  'pam_rule_name',
  'held',
  'costliest_id',
  'shadow',
  'votes_required',
  'pending_minutes',
  'barred_editors',
  'requester_barred',
  'needs_ticket',
  'flags',
] as const;
type Column = (typeof COLUMNS)[number];

const placeOf = (column: Column): string => `$${COLUMNS.indexOf(column) + 1}`;
const ORG_ID = `${placeOf('org_id')}::uuid`;
/** What the policies of the organisation ask for, where no rulebook was usable. */
const WITHOUT_RULEBOOK: Readonly<Partial<Record<Column, string>>> = {
  votes_required: `coalesce(${placeOf('votes_required')}::smallint, ${strictestDemandOf(ORG_ID)})`,
  needs_ticket: `coalesce(${placeOf('needs_ticket')}::boolean, ${needsTicketOf(ORG_ID)})`,
};
const valueOf = (column: Column): string => WITHOUT_RULEBOOK[column] ?? placeOf(column);
const [TIMEOUT_SECONDS, PENDING_MINUTES] = [`$${COLUMNS.length + 1}`, `$${COLUMNS.length + 2}`];

// The device version is null if the device has left the organisation since it was read; the sweep then revokes what is
// granted.
const INSERT = `
  INSERT INTO elevation_requests AS r (${COLUMNS.join(', ')}, timeout_at, decided_at, pending_until, expires_at,
    device_version)
  VALUES (${COLUMNS.map(valueOf).join(', ')},
    now() + make_interval(secs => ${TIMEOUT_SECONDS}),
    CASE WHEN ${placeOf('status')} <> 'pending' THEN now() END,
    CASE WHEN ${placeOf('status')} = 'pending'
      THEN least(now() + make_interval(mins => coalesce(${placeOf('pending_minutes')}::integer,
      ${PENDING_MINUTES}::integer)), now() + make_interval(secs => ${TIMEOUT_SECONDS})) END,
    CASE WHEN ${placeOf('status')} = 'auto_approved' THEN now() + make_interval(mins => ${placeOf('duration_minutes')})
      END,
    (SELECT d.version FROM device_ref d WHERE d.device_id = ${placeOf('device_id')}
      AND d.org_id = ${placeOf('org_id')}))
  RETURNING ${FACT_COLUMNS}`;

@Injectable()
export class SubmissionsRepository {
  async insert(tx: Tx, caller: UserCaller, submission: Submission): Promise<TransitionedRequest> {
    const { ask, pendingMinutes } = submission;
    const row = rowOf(caller, submission);
    const values = COLUMNS.map((column) => row[column]);
    const [inserted] = await tx.query<TransitionedRequest>(INSERT, [
      ...values,
      ask.tool?.timeoutSeconds ?? null,
      pendingMinutes,
    ]);
    return inserted!;
  }
}

/** As text, because an array would become an array of PostgreSQL. */
function shadowJson(decision: Decision): string | null {
  const { shadow } = decisionColumnsOf(decision);
  return shadow && JSON.stringify(shadow);
}

const flagsOfAsk = ({ flowType, reason, tool }: Ask, caller: UserCaller) =>
  flagsOf({
    flowType,
    requestedAt: new Date(),
    deviceHostname: null,
    subjectUsername: caller.email,
    targetExecutablePath: null,
    targetExecutableSigner: null,
    targetExecutablePublisher: null,
    parentImage: null,
    commandLine: null,
    toolName: tool?.name ?? null,
    riskTier: tool?.riskTier ?? null,
    reason,
    firstSeen: false,
  });

const rowOf = (
  caller: UserCaller,
  { id, ask, device, decision, version, minutes }: Submission,
): Readonly<Record<Column, SqlParameter>> => ({
  id,
  partner_id: device.partnerId,
  org_id: device.orgId,
  device_id: device.deviceId,
  device_hostname: device.hostname,
  flow_type: ask.flowType,
  subject_username: caller.email,
  reason: ask.reason,
  ticket: ask.ticket,
  requested_by: caller.userId,
  requested_by_name: caller.name,
  requester_provider_id: caller.providerId,
  tool_name: ask.tool?.name,
  tool_action: ask.tool?.action,
  tool_input: ask.tool?.input,
  risk_tier: ask.tool?.riskTier,
  action_digest: ask.tool?.digest,
  rulebook_version: version,
  duration_minutes: minutes,
  ...decisionColumnsOf(decision),
  shadow: shadowJson(decision),
  requester_barred: decision.barred?.aiRequester ?? false,
  flags: flagsOfAsk(ask, caller),
});
