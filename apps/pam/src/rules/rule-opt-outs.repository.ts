import type { UserCaller } from '@gatehouse/contracts-core';
import type { OptOut, RulePrecedence } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import type { Reader, Tx } from '@gatehouse/database';
import { type OrgOfPartner, RuleOptOutEntity } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';

/** A rule of the partner, as far as leaving it depends on it. */
export interface LeavableRule {
  readonly id: string;
  readonly name: string;
  readonly precedence: RulePrecedence;
  readonly optOut: OptOut;
}

export interface OptOutRow extends Omit<RuleOptOutEntity, 'partnerId'> {
  readonly byName: string | null;
}

const BY_NAME = '(SELECT t.name FROM technician_ref t WHERE t.user_id = o.opted_out_by) AS by_name';
const COLUMNS = `o.id, o.rule_id, o.org_id, o.reason, o.opted_out_by, o.opted_out_at, ${BY_NAME}`;
const SAVE = `
  INSERT INTO pam_rule_opt_outs AS o (id, rule_id, partner_id, org_id, reason, opted_out_by)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (rule_id, org_id) DO UPDATE SET reason = EXCLUDED.reason, opted_out_by = EXCLUDED.opted_out_by,
    opted_out_at = now() RETURNING ${COLUMNS}`;

/** The decisions of organisations to leave rules of their partner. */
@Injectable()
export class RuleOptOutsRepository {
  /** The partner's rule, locked against changes until the transaction ends. */
  holdRule(tx: Tx, { partnerId }: Pick<OrgOfPartner, 'partnerId'>, id: string): Promise<LeavableRule | null> {
    return tx.one<LeavableRule>(
      `SELECT id, name, precedence, opt_out FROM pam_rules WHERE id = $1 AND partner_id = $2 AND org_id IS NULL
         FOR SHARE`,
      [id, partnerId],
    );
  }

  /** The opt-outs of a rule in the caller's reach, the newest first; row security leaves out those of others. */
  list(reader: Reader, ruleId: string): Promise<OptOutRow[]> {
    return reader.query<OptOutRow>(
      `SELECT ${COLUMNS} FROM pam_rule_opt_outs o WHERE o.rule_id = $1 ORDER BY o.opted_out_at DESC, o.id LIMIT 10000`,
      [ruleId],
    );
  }

  /** @returns the opt-out, and whether the organisation had left the rule before */
  async save(
    tx: Tx,
    caller: UserCaller,
    { orgId, partnerId }: OrgOfPartner,
    { ruleId, reason }: Pick<OptOutRow, 'ruleId' | 'reason'>,
  ): Promise<{ optOut: OptOutRow; before: boolean }> {
    const id = newId();
    const [row] = await tx.query<OptOutRow>(SAVE, [id, ruleId, partnerId, orgId, reason, caller.userId]);
    return { optOut: row!, before: row!.id !== id };
  }

  /** @returns the id of the opt-out; null when there was none */
  async delete(tx: Tx, { orgId }: OrgOfPartner, ruleId: string): Promise<string | null> {
    const [row] = await tx.query<{ id: string }>(
      'DELETE FROM pam_rule_opt_outs WHERE rule_id = $1 AND org_id = $2 RETURNING id',
      [ruleId, orgId],
    );
    return row?.id ?? null;
  }
}
