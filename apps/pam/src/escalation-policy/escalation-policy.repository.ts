import type { Reader, Tx } from '@gatehouse/database';
import type { EscalationPolicyEntity } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import type { Organization } from '../organizations/organizations.repository.ts';

export type EscalationPolicyRow = Omit<EscalationPolicyEntity, 'orgId' | 'partnerId' | 'updatedAt'>;
export type EscalationPolicyValues = Omit<EscalationPolicyRow, 'version'>;

const COLUMNS = 'steps, flow_types, tell_device, tell_requester, version';
const FIND = `SELECT ${COLUMNS} FROM pam_escalation_policies WHERE org_id = $1`;
const SAVE = `
  INSERT INTO pam_escalation_policies AS p (org_id, partner_id, steps, flow_types, tell_device, tell_requester)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (org_id) DO UPDATE SET steps = EXCLUDED.steps, flow_types = EXCLUDED.flow_types,
    tell_device = EXCLUDED.tell_device, tell_requester = EXCLUDED.tell_requester, version = p.version + 1,
    updated_at = now()
  RETURNING ${COLUMNS}`;

@Injectable()
export class EscalationPolicyRepository {
  find(reader: Reader, orgId: string): Promise<EscalationPolicyRow | null> {
    return reader.one<EscalationPolicyRow>(FIND, [orgId]);
  }

  async save(
    tx: Tx,
    { orgId, partnerId }: Organization,
    { steps, flowTypes, tellDevice, tellRequester }: EscalationPolicyValues,
  ): Promise<EscalationPolicyRow> {
    const values = [JSON.stringify(steps), flowTypes, tellDevice, tellRequester];
    const [saved] = await tx.query<EscalationPolicyRow>(SAVE, [orgId, partnerId, ...values]);
    return saved!;
  }
}
