import { Module } from '@nestjs/common';
import { RuleLintModule } from '../rule-lint/rule-lint.module.ts';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { CreateSignerGroup } from './create-signer-group.ts';
import { DeleteSignerGroup } from './delete-signer-group.ts';
import { ListSignerGroups } from './list-signer-groups.ts';
import { SignerGroupsController } from './signer-groups.controller.ts';
import { SignerGroupsRepository } from './signer-groups.repository.ts';
import { UpdateSignerGroup } from './update-signer-group.ts';
import { WritableSignerGroups } from './writable-signer-groups.ts';

@Module({
  imports: [OrganizationsModule, RuleLintModule],
  controllers: [SignerGroupsController],
  providers: [
    ListSignerGroups,
    CreateSignerGroup,
    UpdateSignerGroup,
    DeleteSignerGroup,
    WritableSignerGroups,
    SignerGroupsRepository,
  ],
  exports: [SignerGroupsRepository],
})
export class SignerGroupsModule {}
