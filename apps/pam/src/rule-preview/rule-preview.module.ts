import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { RuleCandidatesModule } from '../rule-candidates/rule-candidates.module.ts';
import { SignerGroupsModule } from '../signer-groups/signer-groups.module.ts';
import { ToolCatalogModule } from '../tools/tool-catalog.module.ts';
import { HistoryRepository } from './history.repository.ts';
import { PreviewRule } from './preview-rule.ts';
import { RulePreviewController } from './rule-preview.controller.ts';
import { SimulateRule } from './simulate-rule.ts';

@Module({
  imports: [OrganizationsModule, RuleCandidatesModule, SignerGroupsModule, ToolCatalogModule],
  controllers: [RulePreviewController],
  providers: [PreviewRule, SimulateRule, HistoryRepository],
  exports: [HistoryRepository],
})
export class RulePreviewModule {}
