import { CRITERION_FIELDS, type RiskyRules } from '@gatehouse/contracts-pam';
import { type Reader, toSnake } from '@gatehouse/database';
import type { LintRule, LintSource } from '@gatehouse/pam-domain';
import { isLateEdit, RULE_USE, type RulebookOwner } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';

/** An organisation's rows, or the partner's; the id of the owner is the first parameter. */
const ownedBy = ({ orgId }: RulebookOwner, alias = ''): string =>
  orgId === null ? `${alias}org_id IS NULL AND ${alias}partner_id = $1` : `${alias}org_id = $1`;

const CRITERIA = Object.values(CRITERION_FIELDS).map(toSnake).join(', ');
const rulesOf = (owner: RulebookOwner): string => `
  SELECT id, name, verdict, approval_duration_minutes, site_id, ${CRITERIA},
    match_negate, time_window, enabled, mode, created_at, expires_at
    FROM pam_rules WHERE ${ownedBy(owner)} ORDER BY precedence DESC, priority, created_at, id`;
const groupsOf = (owner: RulebookOwner): string => `SELECT id, signers FROM signer_groups WHERE ${ownedBy(owner)}`;
const SITES = 'SELECT site_id FROM site_ref WHERE org_id = $1 AND NOT deleted';
const lastMatchesOf = (owner: RulebookOwner): string => `
  SELECT r.id, u.last_matched_at FROM pam_rules r
   CROSS JOIN LATERAL (SELECT max(last_matched_at) AS last_matched_at FROM ${RULE_USE} used
     WHERE used.rule_id = r.id) u
   WHERE u.last_matched_at IS NOT NULL AND ${ownedBy(owner, 'r.')} AND ($2::uuid IS NULL OR r.id = $2)`;

/** SQL for the account in a name that a device reports, or in an address. */
export const accountOf = (name: string): string =>
  `split_part(lower(regexp_replace(${name}, '^.*[\\\\/]', '')), '@', 1)`;

/** Rules that granted to a person who wrote them or their signer group, or changed one of these within 30 days. */
const SELF_SERVING = `
  WITH editors AS (
    SELECT r.id AS rule_id, r.created_by AS user_id FROM pam_rules r WHERE r.org_id = $1
     UNION SELECT e.id, b.user_id FROM rulebook_parts e, unnest(e.also_by || e.edited_by) AS b (user_id)
       WHERE e.org_id = $1 AND e.kind = 'rule' AND ${isLateEdit('e')}
     UNION SELECT r.id, g.created_by FROM pam_rules r JOIN signer_groups g ON g.id = r.match_signer_group_id
       WHERE r.org_id = $1
     UNION SELECT r.id, b.user_id FROM pam_rules r JOIN rulebook_parts e ON e.kind = 'signer_group'
       AND e.id = r.match_signer_group_id AND ${isLateEdit('e')},
       unnest(e.also_by || e.edited_by) AS b (user_id) WHERE r.org_id = $1
  )
  SELECT DISTINCT r.id FROM pam_rules r JOIN editors e ON e.rule_id = r.id
    JOIN technician_ref t ON t.user_id = e.user_id
    JOIN elevation_requests q ON q.pam_rule_id = r.id AND q.id >= uuid_from_instant(now() - interval '30 days')
   WHERE r.org_id = $1 AND ($2::uuid IS NULL OR r.id = $2) AND r.enabled AND r.verdict = 'auto_approve'
     AND q.org_id = $1 AND q.decision_source = 'pam_rule' AND q.status <> 'denied'
     AND (q.requested_by = t.user_id OR ${accountOf('q.subject_username')} = ${accountOf('t.email')})`;
const RULES_UP_TO = 'SELECT count(*)::int AS count FROM pam_rules WHERE org_id = $1 AND priority <= $2';
const RISKY_RULES = 'SELECT risky_rules FROM pam_config WHERE org_id = $1';

@Injectable()
export class LintSourceRepository {
  /**
   * What the linter looks at. Whether a rule of the partner served its own editors is not among it: that would read
   * the requests of every organisation.
   * @param ruleId the only rule whose use is looked at; all by default
   */
  async load(
    reader: Reader,
    owner: RulebookOwner,
    ruleId: string | null = null,
  ): Promise<Omit<LintSource, 'catalog' | 'at'>> {
    const { orgId, partnerId } = owner;
    const id = orgId ?? partnerId;
    const rules = await reader.query<LintRule>(rulesOf(owner), [id]);
    const groups = await reader.query<{ id: string; signers: string[] }>(groupsOf(owner), [id]);
    const sites = await reader.query<{ siteId: string }>(SITES, [id]);
    const matches = await reader.query<{ id: string; lastMatchedAt: Date }>(lastMatchesOf(owner), [id, ruleId]);
    const selfServing = orgId === null ? [] : await reader.query<{ id: string }>(SELF_SERVING, [orgId, ruleId]);
    return {
      rules,
      signerGroups: new Map(groups.map(({ id, signers }) => [id, signers])),
      siteIds: new Set(sites.map(({ siteId }) => siteId)),
      use: {
        lastMatchedAt: new Map(matches.map(({ id, lastMatchedAt }) => [id, lastMatchedAt])),
        selfServing: new Set(selfServing.map(({ id }) => id)),
      },
    };
  }

  /** How many rules a new one of this priority comes after. */
  async rulesUpTo(reader: Reader, orgId: string, priority: number): Promise<number> {
    return (await reader.one<{ count: number }>(RULES_UP_TO, [orgId, priority]))?.count ?? 0;
  }

  /** What becomes of risky rules of this owner; the partner has no such setting. */
  async riskyRules(reader: Reader, { orgId }: RulebookOwner): Promise<RiskyRules> {
    if (orgId === null) return 'warn';
    return (await reader.one<{ riskyRules: RiskyRules }>(RISKY_RULES, [orgId]))?.riskyRules ?? 'warn';
  }
}
