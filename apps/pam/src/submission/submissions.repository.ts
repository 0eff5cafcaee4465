import type { UserCaller } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import type { Decision } from '@gatehouse/pam-domain';
import { Injectable } from '@nestjs/common';
import type { Device } from '../device-commands/device-commands.repository.ts';
import type { Moved } from '../elevation-requests/elevation-request.view.ts';
import { FACT_COLUMNS } from '../elevation-requests/elevation-requests.repository.ts';

/** The content of a request, apart from the device and the requester. */
export interface Ask {
  readonly flowType: 'tech_jit_admin' | 'ai_tool_action';
  readonly reason: string | null;
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

// The device version is null if the device has left the organisation since it was read; the sweep then revokes what is
// granted.
const INSERT = `
  INSERT INTO elevation_requests AS r (id, partner_id, org_id, device_id, device_hostname, flow_type, status, subject_username, reason, requested_by, requested_by_name,
    tool_name, tool_action, tool_input, risk_tier, action_digest, rulebook_version, decision_source, matched_policy_id, matched_policy_name, pam_rule_id, pam_rule_name, duration_minutes,
    timeout_at, decided_at, pending_until, expires_at, device_version, held, costliest_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
    now() + make_interval(secs => $24), CASE WHEN $7 <> 'pending' THEN now() END,
    CASE WHEN $7 = 'pending' THEN least(now() + make_interval(mins => $25), now() + make_interval(secs => $24)) END,
    CASE WHEN $7 = 'auto_approved' THEN now() + make_interval(mins => $23) END,
    (SELECT d.version FROM device_ref d WHERE d.device_id = $4 AND d.org_id = $3), $26, $27)
  RETURNING ${FACT_COLUMNS}`;

const NO_TOOL = { name: null, action: null, input: null, riskTier: null, digest: null, timeoutSeconds: null };

@Injectable()
export class SubmissionsRepository {
  async insert(
    tx: Tx,
    caller: UserCaller,
    { id, ask, device, decision, version, minutes, pendingMinutes }: Submission,
  ): Promise<Moved> {
    const { policy, rule } = decision;
    const tool = ask.tool ?? NO_TOOL;
    const [row] = await tx.query<Moved>(INSERT, [
      id,
      device.partnerId,
      device.orgId,
      device.deviceId,
      device.hostname,
      ask.flowType,
      decision.outcome,
      caller.email ?? caller.name,
      ask.reason,
      caller.userId,
      caller.name,
      tool.name,
      tool.action,
      tool.input,
      tool.riskTier,
      tool.digest,
      version,
      decision.source,
      policy?.id,
      policy?.name,
      rule?.id,
      rule?.name,
      minutes,
      tool.timeoutSeconds,
      pendingMinutes,
      decision.held,
      decision.costliest?.id,
    ]);
    return row!;
  }
}
