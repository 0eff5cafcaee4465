import { ProblemError, requireUpdates, type UserCaller } from '@gatehouse/contracts-core';
import {
  type CreateRuleDto,
  DEFAULT_RULE_PRIORITY,
  type PamRuleRecord,
  type UpdateRuleDto,
} from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { onConstraint, UnitOfWork } from '@gatehouse/database';
import { checkRuleShape, NO_CRITERIA, normaliseCriteria, type ToolCatalog } from '@gatehouse/pam-domain';
import { bumpRulebook, requireRulebookCapacity } from '@gatehouse/pam-store';
import { Inject, Injectable } from '@nestjs/common';
import type { NamedThing } from '../organizations/one-organization.ts';
import { OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { requireSite } from '../organizations/require-site.ts';
import { TOOL_CATALOG } from '../tools/tool-catalog.provider.ts';
import { ruleProblem } from './rule-problem.ts';
import { ruleView } from './rule.view.ts';
import { RulesRepository, type RuleValues } from './rules.repository.ts';
import { auditSubject, WritableRules } from './writable-rules.ts';

const NEW_RULE = {
  ...NO_CRITERIA,
  priority: DEFAULT_RULE_PRIORITY,
  enabled: true,
  description: null,
  approvalDurationMinutes: null,
};
const foreignGroup = onConstraint({
  pam_rule_signer_group_in_org: () =>
    new ProblemError('signer_group_not_in_org', 'The signer group does not belong to the organisation.'),
});

/** Creates and updates rules. Both validate the complete resulting rule. */
@Injectable()
export class CreateRule {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly rules: RulesRepository,
    private readonly writable: WritableRules,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
  ) {}

  /**
   * @throws ProblemError pam_rule_invalid, pam_rule_risk_tier_unreachable, site_not_in_org, signer_group_not_in_org,
   * site_access_denied, conflict
   */
  create(caller: UserCaller, { orgId, ...draft }: CreateRuleDto): Promise<PamRuleRecord> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const organization = await this.organizations.resolveWritable(tx, caller, orgId);
      const values = this.vetted(caller, { ...NEW_RULE, ...requireUpdates(draft) } as RuleValues);
      await this.organizations.requireOwnSite(tx, organization, values.siteId);
      const rule = await this.rules
        .insert(tx, organization, { id: newId(), createdBy: caller.userId, values })
        .catch(foreignGroup);
      await bumpRulebook(tx, organization);
      await requireRulebookCapacity(tx, 'pam_rules', organization);
      tx.audit({
        ...auditSubject(rule),
        action: 'pam.rule.create',
        details: { verdict: rule.verdict, priority: rule.priority, enabled: rule.enabled },
      });
      return ruleView(rule);
    });
  }

  /** @throws ProblemError rule_not_found, and as {@link create} except conflict */
  update(caller: UserCaller, named: NamedThing, patch: UpdateRuleDto): Promise<PamRuleRecord> {
    const changes = requireUpdates(patch);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const { rule: known, organization } = await this.writable.lock(tx, caller, named);
      const values = this.vetted(caller, { ...known, ...changes } as RuleValues);
      // The site is checked only when it changes, so that a rule whose site was deleted can still be disabled.
      if (values.siteId !== known.siteId) await this.organizations.requireOwnSite(tx, organization, values.siteId);
      const rule = await this.rules.update(tx, named.id, values).catch(foreignGroup);
      await bumpRulebook(tx, organization);
      tx.audit({ ...auditSubject(rule), action: 'pam.rule.update', details: { changedFields: Object.keys(changes) } });
      return ruleView(rule);
    });
  }

  private vetted(caller: UserCaller, draft: RuleValues): RuleValues {
    const values = { ...normaliseCriteria(draft), name: draft.name.trim() };
    const fault = checkRuleShape(values, this.catalog);
    if (fault) throw ruleProblem(fault);
    requireSite(caller, values.siteId);
    return values;
  }
}
