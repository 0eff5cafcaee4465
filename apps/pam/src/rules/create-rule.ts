import { invalid, requireUpdates, type UserCaller } from '@gatehouse/contracts-core';
import type { NewRuleDto, RuleResponse } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import type { ToolCatalog } from '@gatehouse/pam-domain';
import { bumpRulebook, requireRulebookCapacity, type RulebookOwner } from '@gatehouse/pam-store';
import { Inject, Injectable } from '@nestjs/common';
import { ExplainedRequestsRepository } from '../explanations/explained-requests.repository.ts';
import { Owners } from '../organizations/owners.ts';
import { requireReach } from '../request-states/request-problems.ts';
import { RuleLinter } from '../rule-lint/rule-linter.ts';
import { TOOL_CATALOG } from '../tools/tool-catalog.provider.ts';
import { ruleView } from './rule.view.ts';
import { type RuleRow, RulesRepository, type RuleValues } from './rules.repository.ts';
import { type DraftRule, foreignGroup, NEW_RULE, precedenceOf, vettedRule } from './vetted-rule.ts';
import { auditSubject } from './writable-rules.ts';

@Injectable()
export class CreateRule {
  constructor(
    private readonly work: UnitOfWork,
    private readonly owners: Owners,
    private readonly rules: RulesRepository,
    private readonly linter: RuleLinter,
    private readonly requests: ExplainedRequestsRepository,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
  ) {}

  /**
   * @throws ProblemError validation_failed, pam_rule_invalid, pam_rule_risky, pam_rule_risk_tier_unreachable,
   * site_not_in_org, signer_group_not_in_org, site_access_denied, elevation_request_not_found, conflict, and as
   * {@link Owners}
   */
  execute(caller: UserCaller, draft: NewRuleDto): Promise<RuleResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const owner = await this.owners.requireWritable(tx, caller, draft);
      const values = this.vetted(caller, owner, draft);
      await this.owners.requireOwnSite(tx, owner, values.siteId);
      await this.rules.requirePartnerGroup(tx, owner, values.matchSignerGroupId);
      const { fromRequestId } = draft;
      if (fromRequestId !== undefined) await this.requireOwnRequest(tx, caller, owner, fromRequestId);
      const rule = await this.rules
        .insert(tx, owner, { id: newId(), createdBy: caller.userId, fromRequestId, values })
        .catch(foreignGroup);
      await bumpRulebook(tx, owner, { kind: 'rule', ids: [rule.id], editedBy: caller.userId });
      await requireRulebookCapacity(tx, 'pam_rules', owner);
      const findings = await this.linter.findingsAbout(tx, rule);
      tx.audit({ ...auditSubject(rule), action: 'pam.rule.create', details: detailsOf(rule) });
      return { success: true, rule: ruleView(rule), findings };
    });
  }

  private vetted(caller: UserCaller, owner: RulebookOwner, draft: NewRuleDto): RuleValues {
    const { orgId: _, partnerId: __, ownerScope: ___, fromRequestId: ____, ...named } = draft;
    const values = { ...NEW_RULE, ...requireUpdates(named), ...precedenceOf(owner, draft) } as DraftRule;
    return vettedRule(caller, values, this.catalog);
  }

  /** @throws ProblemError elevation_request_not_found, site_access_denied, validation_failed */
  private async requireOwnRequest(tx: Tx, caller: UserCaller, { orgId }: RulebookOwner, id: string): Promise<void> {
    const request = requireReach(caller.scope, await this.requests.find(tx, caller.scope, id));
    if (request.orgId !== orgId) throw invalid('fromRequestId', 'must be a request of the organisation of the rule');
  }
}

const detailsOf = ({
  verdict,
  priority,
  enabled,
  precedence,
  optOut,
  fromRequestId,
}: RuleRow): Readonly<Record<string, unknown>> => ({
  verdict,
  priority,
  enabled,
  ...(precedence && { precedence, optOut }),
  ...(fromRequestId && { fromRequestId }),
});
