import type { Tx } from '@gatehouse/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How often a rule of an organisation matched on one day (UTC). */
@Entity('pam_rule_usage')
export class RuleUseEntity {
  @PrimaryColumn('uuid') ruleId!: string;
  @PrimaryColumn('date') day!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('bigint') matches!: number;
  @Column('timestamptz') lastMatchedAt!: Date;
}

/** How often a rule of the partner matched in one organisation on one day (UTC). */
@Entity('pam_partner_rule_usage')
export class PartnerRuleUseEntity {
  @PrimaryColumn('uuid') ruleId!: string;
  @PrimaryColumn('uuid') orgId!: string;
  @PrimaryColumn('date') day!: string;
  @Column('uuid') partnerId!: string;
  @Column('bigint') matches!: number;
  @Column('timestamptz') lastMatchedAt!: Date;
}

const COLUMNS = 'rule_id, org_id, day, partner_id, matches, last_matched_at';
const ADDED = `matches = u.matches + EXCLUDED.matches, last_matched_at = greatest(u.last_matched_at,
  EXCLUDED.last_matched_at)`;

// The use of a deleted rule is dropped: nobody reads it, and without its row nothing tells whose rule it was.
const ADD = `
  WITH used AS (
    SELECT n.*, r.org_id IS NULL AS of_partner
      FROM unnest($1::uuid[], $2::uuid[], $3::date[], $4::uuid[], $5::bigint[], $6::timestamptz[]) AS n (${COLUMNS})
      JOIN pam_rules r ON r.id = n.rule_id
  ), of_partners AS (
    INSERT INTO pam_partner_rule_usage AS u (${COLUMNS}) SELECT ${COLUMNS} FROM used WHERE of_partner ORDER BY 1, 2, 3
      ON CONFLICT (rule_id, org_id, day) DO UPDATE SET ${ADDED}
  )
  INSERT INTO pam_rule_usage AS u (${COLUMNS}) SELECT ${COLUMNS} FROM used WHERE NOT of_partner ORDER BY 1, 3
    ON CONFLICT (rule_id, day) DO UPDATE SET ${ADDED}`;

/** SQL for the use of all rules, for a FROM clause. */
export const RULE_USE = `(SELECT ${COLUMNS} FROM pam_rule_usage
  UNION ALL SELECT ${COLUMNS} FROM pam_partner_rule_usage)`;

/** Adds the use of rules to what is stored of each day. */
export const addRuleUse = (tx: Tx, use: readonly RuleUseEntity[]): Promise<unknown> =>
  tx.query(ADD, [
    use.map(({ ruleId }) => ruleId),
    use.map(({ orgId }) => orgId),
    use.map(({ day }) => day),
    use.map(({ partnerId }) => partnerId),
    use.map(({ matches }) => matches),
    use.map(({ lastMatchedAt }) => lastMatchedAt),
  ]);
