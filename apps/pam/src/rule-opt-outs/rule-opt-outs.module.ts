import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { RulesModule } from '../rules/rules.module.ts';
import { ListRuleOptOuts } from './list-rule-opt-outs.ts';
import { OptInToRule } from './opt-in-to-rule.ts';
import { OptOutOfRule } from './opt-out-of-rule.ts';
import { RuleOptOutsController } from './rule-opt-outs.controller.ts';
import { RuleOptOutsRepository } from './rule-opt-outs.repository.ts';

@Module({
  imports: [OrganizationsModule, RulesModule],
  controllers: [RuleOptOutsController],
  providers: [ListRuleOptOuts, OptOutOfRule, OptInToRule, RuleOptOutsRepository],
})
export class RuleOptOutsModule {}
