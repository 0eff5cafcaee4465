import type { Tx } from '@gatehouse/database';
import type { RuleUseEntity } from './rule-use.entity.ts';

const ADD = `
  INSERT INTO pam_rule_usage AS u (rule_id, day, partner_id, org_id, matches, last_matched_at)
  SELECT * FROM unnest($1::uuid[], $2::date[], $3::uuid[], $4::uuid[], $5::bigint[], $6::timestamptz[]) AS n
    ORDER BY 1, 2
  ON CONFLICT (rule_id, day) DO UPDATE SET matches = u.matches + EXCLUDED.matches,
    last_matched_at = greatest(u.last_matched_at, EXCLUDED.last_matched_at)`;

/** Adds the use of rules to what is stored of each day. */
export const addRuleUse = (tx: Tx, use: readonly RuleUseEntity[]): Promise<unknown> =>
  tx.query(ADD, [
    use.map(({ ruleId }) => ruleId),
    use.map(({ day }) => day),
    use.map(({ partnerId }) => partnerId),
    use.map(({ orgId }) => orgId),
    use.map(({ matches }) => matches),
    use.map(({ lastMatchedAt }) => lastMatchedAt),
  ]);
