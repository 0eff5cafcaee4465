import { RulebookRepository } from '@gatehouse/pam-store';
import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { ToolCatalogModule } from '../tools/tool-catalog.module.ts';
import { LintRules } from './lint-rules.ts';
import { LintSourceRepository } from './lint-source.repository.ts';
import { RuleLintController } from './rule-lint.controller.ts';
import { RuleLinter } from './rule-linter.ts';

@Module({
  imports: [OrganizationsModule, ToolCatalogModule],
  controllers: [RuleLintController],
  providers: [LintRules, RuleLinter, LintSourceRepository, RulebookRepository],
  exports: [RuleLinter],
})
export class RuleLintModule {}
