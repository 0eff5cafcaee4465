import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { DeleteSignerGroup } from './delete-signer-group.ts';
import { ListSignerGroups } from './list-signer-groups.ts';
import { SaveSignerGroup } from './save-signer-group.ts';
import { SignerGroupsController } from './signer-groups.controller.ts';
import { SignerGroupsRepository } from './signer-groups.repository.ts';
import { WritableSignerGroups } from './writable-signer-groups.ts';

@Module({
  imports: [OrganizationsModule],
  controllers: [SignerGroupsController],
  providers: [ListSignerGroups, SaveSignerGroup, DeleteSignerGroup, WritableSignerGroups, SignerGroupsRepository],
  exports: [SignerGroupsRepository],
})
export class SignerGroupsModule {}
