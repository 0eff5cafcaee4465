import type { UserCaller } from '@gatehouse/contracts-core';
import type { RuleOptOutRecord } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { RulesRepository } from '../rules/rules.repository.ts';
import { optOutView, requireRule } from './rule-opt-out.view.ts';
import { RuleOptOutsRepository } from './rule-opt-outs.repository.ts';

@Injectable()
export class ListRuleOptOuts {
  constructor(
    private readonly work: UnitOfWork,
    private readonly rules: RulesRepository,
    private readonly optOuts: RuleOptOutsRepository,
  ) {}

  /** @throws ProblemError rule_not_found for a rule out of reach, and for one of an organisation */
  execute(caller: UserCaller, ruleId: string): Promise<RuleOptOutRecord[]> {
    return this.work.read(caller, async (reader) => {
      const rule = await this.rules.findOfAny(reader, caller.scope, ruleId);
      requireRule(rule && rule.orgId === null ? rule : null);
      return (await this.optOuts.list(reader, ruleId)).map(optOutView);
    });
  }
}
