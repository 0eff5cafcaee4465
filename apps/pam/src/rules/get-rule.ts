import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { ListedRuleRecord } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import type { ToolCatalog } from '@gatehouse/pam-domain';
import { Inject, Injectable } from '@nestjs/common';
import { isWhereNamed, type NamedThing } from '../organizations/one-organization.ts';
import { isAbove } from '../organizations/owners.ts';
import { TOOL_CATALOG } from '../tools/tool-catalog.provider.ts';
import { PartnerRulesRepository } from './partner-rules.repository.ts';
import { listedRule, shownTo } from './rule.view.ts';
import { RulesRepository } from './rules.repository.ts';

@Injectable()
export class GetRule {
  constructor(
    private readonly work: UnitOfWork,
    private readonly rules: RulesRepository,
    private readonly partnerRules: PartnerRulesRepository,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
  ) {}

  /** @throws ProblemError rule_not_found */
  execute(caller: UserCaller, named: NamedThing): Promise<ListedRuleRecord> {
    return this.work.read(caller, async (reader) => {
      const rule = await this.rules.findOfAny(reader, caller.scope, named.id);
      if (!rule || !isWhereNamed(named, rule)) throw new ProblemError('rule_not_found', 'There is no such rule.');
      const listed = shownTo(caller, listedRule(rule, this.catalog));
      if (rule.orgId !== null || isAbove(caller, rule)) return listed;
      return { ...listed, optOuts: (await this.partnerRules.optOutsOf(reader, rule.id)).length };
    });
  }
}
