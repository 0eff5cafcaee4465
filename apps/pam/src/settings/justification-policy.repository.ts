import type { JustificationPolicyRecord } from '@gatehouse/contracts-pam';
import type { Reader, Tx } from '@gatehouse/database';
import { type JustificationPolicy, NO_JUSTIFICATION } from '@gatehouse/pam-domain';
import { JUSTIFICATION } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import type { Organization } from '../tenants/organizations.repository.ts';

interface Row {
  readonly policy: JustificationPolicy;
  readonly version: number;
}

/** What holds without a policy. */
const NO_POLICY: Row = { policy: NO_JUSTIFICATION, version: 0 };

const COLUMNS = `${JUSTIFICATION} AS policy, j.version`;
const FIND = `SELECT ${COLUMNS} FROM pam_justification_policies j WHERE j.org_id = $1`;
const SAVE = `
  INSERT INTO pam_justification_policies AS j (org_id, partner_id, reason_mode, min_letters, ticket_mode, ticket_masks,
    ticket_hint, hold_prompts)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (org_id) DO UPDATE SET reason_mode = EXCLUDED.reason_mode, min_letters = EXCLUDED.min_letters,
    ticket_mode = EXCLUDED.ticket_mode, ticket_masks = EXCLUDED.ticket_masks, ticket_hint = EXCLUDED.ticket_hint,
    hold_prompts = EXCLUDED.hold_prompts, version = j.version + 1, updated_at = now()
  RETURNING ${COLUMNS}`;

@Injectable()
export class JustificationPolicyRepository {
  async find(reader: Reader, orgId: string): Promise<JustificationPolicyRecord> {
    return recordOf(orgId, (await reader.one<Row>(FIND, [orgId])) ?? NO_POLICY);
  }

  async save(
    tx: Tx,
    { orgId, partnerId }: Organization,
    { reason, ticket, prompts }: JustificationPolicy,
  ): Promise<JustificationPolicyRecord> {
    const [saved] = await tx.query<Row>(SAVE, [
      orgId,
      partnerId,
      reason.mode,
      reason.minLetters,
      ticket.mode,
      ticket.masks,
      ticket.hint,
      prompts.hold,
    ]);
    return recordOf(orgId, saved!);
  }
}

const recordOf = (orgId: string, { policy: { reason, ticket, prompts }, version }: Row): JustificationPolicyRecord => ({
  orgId,
  reason,
  ticket: { ...ticket, masks: [...ticket.masks] },
  prompts,
  version,
});
