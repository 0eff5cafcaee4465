import type { EscalationPolicyRecord } from '@gatehouse/contracts-pam';
import type { Reader, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { Organization } from '../tenants/organizations.repository.ts';

export type EscalationPolicyValues = Omit<EscalationPolicyRecord, 'orgId' | 'version'>;

/** What holds without a policy. */
const NO_POLICY = { steps: [], flowTypes: null, tellDevice: false, tellRequester: true, version: 0 };

const COLUMNS = 'org_id, steps, flow_types, tell_device, tell_requester, version';
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
  async find(reader: Reader, orgId: string): Promise<EscalationPolicyRecord> {
    return (await reader.one<EscalationPolicyRecord>(FIND, [orgId])) ?? { orgId, ...NO_POLICY };
  }

  async save(
    tx: Tx,
    { orgId, partnerId }: Organization,
    { steps, flowTypes, tellDevice, tellRequester }: EscalationPolicyValues,
  ): Promise<EscalationPolicyRecord> {
    const values = [JSON.stringify(steps), flowTypes, tellDevice, tellRequester];
    const [saved] = await tx.query<EscalationPolicyRecord>(SAVE, [orgId, partnerId, ...values]);
    return saved!;
  }
}
