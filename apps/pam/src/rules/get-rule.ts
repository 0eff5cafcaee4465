import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { ListedRuleRecord } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import type { ToolCatalog } from '@gatehouse/pam-domain';
import { Inject, Injectable } from '@nestjs/common';
import { isWhereNamed, type NamedThing } from '../organizations/one-organization.ts';
import { TOOL_CATALOG } from '../tools/tool-catalog.provider.ts';
import { listedRule, shownTo } from './rule.view.ts';
import { RulesRepository } from './rules.repository.ts';

@Injectable()
export class GetRule {
  constructor(
    private readonly work: UnitOfWork,
    private readonly rules: RulesRepository,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
  ) {}

  /** @throws ProblemError rule_not_found */
  execute(caller: UserCaller, named: NamedThing): Promise<ListedRuleRecord> {
    return this.work.read(caller, async (reader) => {
      const rule = await this.rules.findOfAny(reader, caller.scope, named.id);
      if (!rule || !isWhereNamed(named, rule)) throw new ProblemError('rule_not_found', 'There is no such rule.');
      return shownTo(caller, listedRule(rule, this.catalog));
    });
  }
}
