import type { UserCaller } from '@gatehouse/contracts-core';
import type { OrgQuery } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { bumpRulebook } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { requireSite } from '../organizations/require-site.ts';
import { optOutSubject, requireRule } from './rule-opt-out.view.ts';
import { RuleOptOutsRepository } from './rule-opt-outs.repository.ts';

/** Brings an organisation back under a rule of its partner. Nothing changes where it has not left the rule. */
@Injectable()
export class OptInToRule {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly optOuts: RuleOptOutsRepository,
  ) {}

  /**
   * @throws ProblemError org_required, organization_not_found, organization_frozen, site_access_denied,
   * rule_not_found
   */
  execute(caller: UserCaller, ruleId: string, { orgId }: OrgQuery): Promise<void> {
    return this.work.run(caller, async (tx) => {
      const organization = await this.organizations.resolveWritable(tx, caller, orgId);
      requireSite(caller, null);
      const rule = requireRule(await this.optOuts.holdRule(tx, organization, ruleId));
      const ended = await this.optOuts.delete(tx, organization, ruleId);
      if (ended === null) return;
      await bumpRulebook(tx, organization, { kind: 'rule_opt_out', ids: [ended], editedBy: caller.userId });
      tx.audit({ ...optOutSubject(rule, organization), action: 'pam.rule.opt_in' });
    });
  }
}
