import { DEFAULT_APPROVAL_MINUTES, type PamConfigRecord, type UpdatePamConfigDto } from '@gatehouse/contracts-pam';
import type { Reader, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { Organization } from '../tenants/organizations.repository.ts';

const COLUMNS = `org_id, default_unmatched_verdict, default_approval_minutes, risky_rules, allow_self_approval,
  approve_reasons, deny_reasons, version`;
const FIND = `SELECT ${COLUMNS} FROM pam_config WHERE org_id = $1`;
const SAVE = `
  INSERT INTO pam_config AS c (org_id, partner_id, default_unmatched_verdict, default_approval_minutes, risky_rules,
    allow_self_approval, approve_reasons, deny_reasons)
    VALUES ($1, $2, $3, coalesce($4::integer, $5), coalesce($6::text, 'warn'), coalesce($7::boolean, false),
      coalesce($8::text[], '{}'), coalesce($9::text[], '{}'))
  ON CONFLICT (org_id) DO UPDATE SET default_unmatched_verdict = EXCLUDED.default_unmatched_verdict,
    default_approval_minutes = coalesce($4, c.default_approval_minutes), risky_rules = coalesce($6, c.risky_rules),
    allow_self_approval = coalesce($7, c.allow_self_approval), approve_reasons = coalesce($8, c.approve_reasons),
    deny_reasons = coalesce($9, c.deny_reasons), version = c.version + 1, updated_at = now()
  RETURNING ${COLUMNS}`;

@Injectable()
export class OrgConfigRepository {
  /** An organisation without a row has the default verdict "ask a technician" (PAM-77). */
  async find(reader: Reader, orgId: string): Promise<PamConfigRecord> {
    const found = await reader.one<PamConfigRecord>(FIND, [orgId]);
    return (
      found ?? {
        orgId,
        defaultUnmatchedVerdict: 'require_approval',
        defaultApprovalMinutes: DEFAULT_APPROVAL_MINUTES,
        riskyRules: 'warn',
        allowSelfApproval: false,
        approveReasons: [],
        denyReasons: [],
        version: 0,
      }
    );
  }

  async save(tx: Tx, { orgId, partnerId }: Organization, update: UpdatePamConfigDto): Promise<PamConfigRecord> {
    const [saved] = await tx.query<PamConfigRecord>(SAVE, [
      orgId,
      partnerId,
      update.defaultUnmatchedVerdict,
      update.defaultApprovalMinutes ?? null,
      DEFAULT_APPROVAL_MINUTES,
      update.riskyRules ?? null,
      update.allowSelfApproval ?? null,
      update.approveReasons ?? null,
      update.denyReasons ?? null,
    ]);
    return saved!;
  }
}
