import type { TenantScope } from '@gatehouse/contracts-core';
import { type Reader, scoped } from '@gatehouse/database';
import { AUTHORITY_NOW, type ElevationRequestEntity } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';

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
