import { Module } from '@nestjs/common';
import { ErrorTracking } from '../error-tracking/error-tracking.ts';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { SignerGroupsModule } from '../signer-groups/signer-groups.module.ts';
import { ToolCatalogModule } from '../tools/tool-catalog.module.ts';
import { DeleteRule } from './delete-rule.ts';
import { HistoryRepository } from './history.repository.ts';
import { ListRules } from './list-rules.ts';
import { PreviewRule } from './preview-rule.ts';
import { RulesController } from './rules.controller.ts';
import { RulesRepository } from './rules.repository.ts';
import { CreateRule } from './create-rule.ts';
import { WarnOnTierDrift } from './warn-on-tier-drift.ts';
import { WritableRules } from './writable-rules.ts';

@Module({
  imports: [OrganizationsModule, SignerGroupsModule, ToolCatalogModule],
  controllers: [RulesController],
  providers: [
    ListRules,
    CreateRule,
    DeleteRule,
    PreviewRule,
    WarnOnTierDrift,
    WritableRules,
    RulesRepository,
    HistoryRepository,
    ErrorTracking,
  ],
})
export class RulesModule {}
