import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { RulesModule } from '../rules/rules.module.ts';
import { ToolCatalogModule } from '../tools/tool-catalog.module.ts';
import { ReorderRules } from './reorder-rules.ts';
import { RuleOrderController } from './rule-order.controller.ts';

@Module({
  imports: [OrganizationsModule, RulesModule, ToolCatalogModule],
  controllers: [RuleOrderController],
  providers: [ReorderRules],
})
export class RuleOrderModule {}
