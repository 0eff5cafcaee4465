import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { type OptOutOfRuleDto, RuleOptedOut, type RuleOptOutRecord } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { bumpRulebook } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { requireSite } from '../organizations/require-site.ts';
import { optOutSubject, optOutView, requireRule } from './rule-opt-out.view.ts';
import { type LeavableRule, RuleOptOutsRepository } from './rule-opt-outs.repository.ts';

/** @throws ProblemError opt_out_not_allowed */
function requireLeavable({ precedence, optOut }: LeavableRule): void {
  if (precedence === 'before' && optOut === 'none')
    throw new ProblemError('opt_out_not_allowed', 'The partner does not let organisations leave this rule.');
}

/** Lets an organisation leave a rule of its partner: from the commit on the rule decides nothing there. */
@Injectable()
export class OptOutOfRule {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly optOuts: RuleOptOutsRepository,
  ) {}

  /**
   * @throws ProblemError org_required, organization_not_found, organization_frozen, site_access_denied,
   * rule_not_found, opt_out_not_allowed
   */
  execute(caller: UserCaller, ruleId: string, draft: OptOutOfRuleDto): Promise<RuleOptOutRecord> {
    return this.work.run(caller, async (tx) => {
      const organization = await this.organizations.resolveWritable(tx, caller, draft.orgId);
      requireSite(caller, null);
      const rule = requireRule(await this.optOuts.holdRule(tx, organization, ruleId));
      requireLeavable(rule);
      const reason = draft.reason.trim();
      const optOut = await this.optOuts.save(tx, caller, organization, { ruleId, reason });
      const { orgId, partnerId } = organization;
      await bumpRulebook(tx, organization, { kind: 'rule_opt_out', ids: [optOut.id], editedBy: caller.userId });
      tx.audit({ ...optOutSubject(rule, organization), action: 'pam.rule.opt_out', details: { reason } });
      tx.emit(RuleOptedOut, { ruleId, orgId, partnerId, actorId: caller.userId }, { aggregateId: ruleId });
      return optOutView(optOut);
    });
  }
}
