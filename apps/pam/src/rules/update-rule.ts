import { changesOf, requireUpdates, type UserCaller } from '@gatehouse/contracts-core';
import { type ChangeRuleDto, RuleOptOutEnded, type RuleResponse } from '@gatehouse/contracts-pam';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { NO_CRITERIA, type ToolCatalog } from '@gatehouse/pam-domain';
import { bumpRulebooks } from '@gatehouse/pam-store';
import { Inject, Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import type { NamedThing } from '../organizations/one-organization.ts';
import { Owners } from '../organizations/owners.ts';
import { RuleLinter } from '../rule-lint/rule-linter.ts';
import { TOOL_CATALOG } from '../tools/tool-catalog.provider.ts';
import { ruleView } from './rule.view.ts';
import { type EndedOptOut, type RuleRow, RulesRepository, type RuleValues } from './rules.repository.ts';
import { type DraftRule, foreignGroup, requirePartnerFor, vettedRule } from './vetted-rule.ts';
import { auditSubject, WritableRules } from './writable-rules.ts';

@Injectable()
export class UpdateRule {
  constructor(
    private readonly work: UnitOfWork,
    private readonly owners: Owners,
    private readonly rules: RulesRepository,
    private readonly writableRules: WritableRules,
    private readonly linter: RuleLinter,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
  ) {}

  /**
   * @throws ProblemError no_updates_provided, validation_failed, rule_not_found, pam_rule_risky, organization_frozen,
   * pam_rule_invalid, pam_rule_risk_tier_unreachable, site_not_in_org, signer_group_not_in_org, site_access_denied,
   * partner_access_denied
   */
  execute(caller: UserCaller, named: NamedThing, patch: ChangeRuleDto): Promise<RuleResponse> {
    const changes = requireUpdates(patch);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const known = await this.writableRules.lock(tx, caller, named);
      requirePartnerFor(known, changes);
      const values = vettedRule(caller, { ...known, ...changes } as DraftRule, this.catalog);
      // The site is checked only when it changes, so that a rule whose site was deleted can still be disabled.
      if (values.siteId !== known.siteId) await this.owners.requireOwnSite(tx, known, values.siteId);
      await this.rules.requirePartnerGroup(tx, known, values.matchSignerGroupId);
      const rule = await this.rules.update(tx, named.id, { values, updatedBy: caller.userId }).catch(foreignGroup);
      const ended = isAnotherRule(known, values) ? await this.rules.endOptOuts(tx, rule.id) : [];
      const editedBy = caller.userId;
      await bumpRulebooks(
        tx,
        [rule],
        [
          { kind: 'rule', ids: [rule.id], editedBy },
          { kind: 'rule_opt_out', ids: ended.map(({ id }) => id), editedBy },
        ],
      );
      const findings = rule.enabled ? await this.linter.findingsAbout(tx, rule) : [];
      tx.audit({
        ...auditSubject(rule),
        action: 'pam.rule.update',
        details: {
          changedFields: Object.keys(changes),
          changes: changesOf(known, rule, Object.keys(changes)),
          ...(ended.length > 0 && { endedOptOuts: ended.length }),
        },
      });
      tellOfEnded(tx, caller, rule, ended);
      return {
        success: true,
        rule: ruleView(rule),
        findings,
        ...(rule.orgId === null && { endedOptOuts: ended.length }),
      };
    });
  }
}

const DECIDING = [...Object.keys(NO_CRITERIA), 'verdict', 'precedence', 'optOut'] as (keyof RuleValues)[];

/** A stored value and one of a request compare alike, whatever classes they have. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/** Whether what organisations have left is no longer the rule that decides now (PAM-353). */
const isAnotherRule = (before: RuleRow, after: RuleValues): boolean =>
  before.orgId === null && DECIDING.some((member) => !isDeepStrictEqual(plain(before[member]), plain(after[member])));

/** Each organisation hears that the rule applies to it again, in its own log and stream. */
function tellOfEnded(tx: Tx, { userId: actorId }: UserCaller, rule: RuleRow, ended: readonly EndedOptOut[]): void {
  for (const { orgId, partnerId } of ended) {
    tx.audit({ ...auditSubject(rule), orgId, partnerId, action: 'pam.rule.opt_out_end' });
    tx.emit(RuleOptOutEnded, { ruleId: rule.id, orgId, partnerId, actorId }, { aggregateId: rule.id });
  }
}
