import { RulebookRepository } from '@gatehouse/pam-store';
import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { RulesModule } from '../rules/rules.module.ts';
import { SignerGroupsRepository } from '../signer-groups/signer-groups.repository.ts';
import { ToolCatalogModule } from '../tools/tool-catalog.module.ts';
import { Candidates } from './candidates.ts';

@Module({
  imports: [OrganizationsModule, RulesModule, ToolCatalogModule],
  providers: [Candidates, RulebookRepository, SignerGroupsRepository],
  exports: [Candidates],
})
export class RuleCandidatesModule {}
