import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { RuleLintModule } from '../rule-lint/rule-lint.module.ts';
import { RulesModule } from '../rules/rules.module.ts';
import { CopyRule } from './copy-rule.ts';
import { RuleCopiesController } from './rule-copies.controller.ts';

@Module({
  imports: [OrganizationsModule, RuleLintModule, RulesModule],
  controllers: [RuleCopiesController],
  providers: [CopyRule],
})
export class RuleCopiesModule {}
