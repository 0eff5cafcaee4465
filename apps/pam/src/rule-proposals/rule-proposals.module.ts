import { Module } from '@nestjs/common';
import { ExplainedRequestsRepository } from '../explanations/explained-requests.repository.ts';
import { RuleLintModule } from '../rule-lint/rule-lint.module.ts';
import { RulePreviewModule } from '../rule-preview/rule-preview.module.ts';
import { ToolCatalogModule } from '../tools/tool-catalog.module.ts';
import { ProposeRules } from './propose-rules.ts';
import { RuleProposalsController } from './rule-proposals.controller.ts';

@Module({
  imports: [RuleLintModule, RulePreviewModule, ToolCatalogModule],
  controllers: [RuleProposalsController],
  providers: [ProposeRules, ExplainedRequestsRepository],
})
export class RuleProposalsModule {}
