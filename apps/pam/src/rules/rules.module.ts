import { Module } from '@nestjs/common';
import { ExplainedRequestsRepository } from '../explanations/explained-requests.repository.ts';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { RuleLintModule } from '../rule-lint/rule-lint.module.ts';
import { ToolCatalogModule } from '../tools/tool-catalog.module.ts';
import { CreateRule } from './create-rule.ts';
import { DeleteRule } from './delete-rule.ts';
import { GetRule } from './get-rule.ts';
import { ListRules } from './list-rules.ts';
import { PartnerRulesRepository } from './partner-rules.repository.ts';
import { RulesController } from './rules.controller.ts';
import { RulesRepository } from './rules.repository.ts';
import { UpdateRule } from './update-rule.ts';
import { WritableRules } from './writable-rules.ts';

@Module({
  imports: [OrganizationsModule, RuleLintModule, ToolCatalogModule],
  controllers: [RulesController],
  providers: [
    ListRules,
    GetRule,
    CreateRule,
    UpdateRule,
    DeleteRule,
    WritableRules,
    RulesRepository,
    PartnerRulesRepository,
    ExplainedRequestsRepository,
  ],
  exports: [RulesRepository],
})
export class RulesModule {}
