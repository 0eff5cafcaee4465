import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { ToolCatalogModule } from '../tools/tool-catalog.module.ts';
import { DeleteRule } from './delete-rule.ts';
import { ListRules } from './list-rules.ts';
import { RulesController } from './rules.controller.ts';
import { RulesRepository } from './rules.repository.ts';
import { SaveRule } from './save-rule.ts';
import { WritableRules } from './writable-rules.ts';

@Module({
  imports: [OrganizationsModule, ToolCatalogModule],
  controllers: [RulesController],
  providers: [ListRules, SaveRule, DeleteRule, WritableRules, RulesRepository],
})
export class RulesModule {}
