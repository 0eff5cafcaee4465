import type { TenantScope } from '@gatehouse/contracts-core';
import { type Reader, scoped, type Tx } from '@gatehouse/database';
import { AUTHORITY_NOW, type ElevationRequestEntity } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import type { DeviceCaller } from '../agents/agent-devices.ts';

export type ReportedRequestRow = Pick<
  ElevationRequestEntity,
  | 'id'
  | 'status'
  | 'pendingUntil'
  | 'expiresAt'
  | 'decisionReason'
  | 'revokeReason'
  | 'pamRuleId'
  | 'pamRuleName'
  | 'matchedPolicyId'
  | 'matchedPolicyName'
>;

@Injectable()
export class ReportedRequestsRepository {
  /** Finds a request that the device reported, with the authority that it has at this moment (PAM-300). */
  find(reader: Reader, scope: TenantScope, deviceId: string, id: string): Promise<ReportedRequestRow | null> {
    const within = scoped(scope, { partner: 'r.partner_id', org: 'r.org_id' }, [id, deviceId]);
    return reader.one<ReportedRequestRow>(
      `SELECT r.id, ${AUTHORITY_NOW} AS status, r.pending_until, r.expires_at, r.decision_reason, r.revoke_reason,
              r.pam_rule_id, r.pam_rule_name, r.matched_policy_id, r.matched_policy_name
         FROM elevation_requests r WHERE r.id = $1 AND r.device_id = $2
           AND r.flow_type = 'uac_intercept' ${within.and}`,
      within.parameters,
    );
  }
}

export type Justified = Pick<
  ElevationRequestEntity,
  | 'id'
  | 'status'
  | 'partnerId'
  | 'orgId'
  | 'deviceId'
  | 'deviceHostname'
  | 'flowType'
  | 'targetExecutablePath'
  | 'subjectUsername'
> & { readonly siteId: string | null };

interface GivenJustification {
  readonly reason: string;
  readonly ticket: string | null;
  /** Whether there is a ticket and the organisation takes it, so that no other is needed. */
  readonly satisfies: boolean;
}

@Injectable()
export class JustifiedRequestsRepository {
  /**
   * A ticket that was given before stays when there is no other, and one with which the request can be approved unless
   * the organisation takes the other. Null when the device has no such pending request.
   */
  justify(
    tx: Tx,
    { scope, deviceId }: DeviceCaller,
    id: string,
    { reason, ticket, satisfies }: GivenJustification,
  ): Promise<Justified | null> {
    const within = scoped(scope, { partner: 'r.partner_id', org: 'r.org_id' }, [
      id,
      deviceId,
      reason,
      ticket,
      satisfies,
    ]);
    return tx.one<Justified>(
      `UPDATE elevation_requests r SET reason = $3, needs_ticket = r.needs_ticket AND NOT $5,
         ticket = CASE WHEN $5 OR r.needs_ticket OR r.ticket IS NULL THEN coalesce($4, r.ticket) ELSE r.ticket END
        WHERE r.id = $1 AND r.device_id = $2 AND r.flow_type = 'uac_intercept' AND r.status = 'pending'
          AND r.pending_until > now() ${within.and}
       RETURNING r.id, r.status, r.partner_id, r.org_id, r.device_id, r.device_hostname, r.flow_type,
         r.target_executable_path, r.subject_username,
         (SELECT d.site_id FROM device_ref d WHERE d.device_id = r.device_id) AS site_id`,
      within.parameters,
    );
  }
}
