import { invalid, requireUpdates, type UserCaller } from '@gatehouse/contracts-core';
import type { NewRuleDto, RuleResponse } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import type { ToolCatalog } from '@gatehouse/pam-domain';
import { bumpRulebook, requireRulebookCapacity } from '@gatehouse/pam-store';
import { Inject, Injectable } from '@nestjs/common';
import { ExplainedRequestsRepository } from '../explanations/explained-requests.repository.ts';
import { type Organization, OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { requireReach } from '../request-states/request-problems.ts';
import { RuleLinter } from '../rule-lint/rule-linter.ts';
import { TOOL_CATALOG } from '../tools/tool-catalog.provider.ts';
import { ruleView } from './rule.view.ts';
import { RulesRepository } from './rules.repository.ts';
import { type DraftRule, foreignGroup, NEW_RULE, vettedRule } from './vetted-rule.ts';
import { auditSubject } from './writable-rules.ts';

@Injectable()
export class CreateRule {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly rules: RulesRepository,
    private readonly linter: RuleLinter,
    private readonly requests: ExplainedRequestsRepository,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
  ) {}

  /**
   * @throws ProblemError validation_failed, pam_rule_invalid, pam_rule_risky, pam_rule_risk_tier_unreachable,
   * site_not_in_org, signer_group_not_in_org, site_access_denied, elevation_request_not_found, conflict
   */
  execute(caller: UserCaller, { orgId, fromRequestId, ...draft }: NewRuleDto): Promise<RuleResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const organization = await this.organizations.resolveWritable(tx, caller, orgId);
      const values = vettedRule(caller, { ...NEW_RULE, ...requireUpdates(draft) } as DraftRule, this.catalog);
      await this.organizations.requireOwnSite(tx, organization, values.siteId);
      if (fromRequestId !== undefined) await this.requireOwnRequest(tx, caller, organization, fromRequestId);
      const rule = await this.rules
        .insert(tx, organization, { id: newId(), createdBy: caller.userId, fromRequestId, values })
        .catch(foreignGroup);
      await bumpRulebook(tx, organization, { kind: 'rule', ids: [rule.id], editedBy: caller.userId });
      await requireRulebookCapacity(tx, 'pam_rules', organization);
      const findings = await this.linter.findingsAbout(tx, rule);
      tx.audit({
        ...auditSubject(rule),
        action: 'pam.rule.create',
        details: {
          verdict: rule.verdict,
          priority: rule.priority,
          enabled: rule.enabled,
          ...(fromRequestId && { fromRequestId }),
        },
      });
      return { success: true, rule: ruleView(rule), findings };
    });
  }

  /** @throws ProblemError elevation_request_not_found, site_access_denied, validation_failed */
  private async requireOwnRequest(tx: Tx, caller: UserCaller, { orgId }: Organization, id: string): Promise<void> {
    const request = requireReach(caller.scope, await this.requests.find(tx, caller.scope, id));
    if (request.orgId !== orgId) throw invalid('fromRequestId', 'must be a request of the organisation of the rule');
  }
}
