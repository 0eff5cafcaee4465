import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { GetOrgConfig } from './get-org-config.ts';
import { OrgConfigController } from './org-config.controller.ts';
import { OrgConfigRepository } from './org-config.repository.ts';
import { UpdateOrgConfig } from './update-org-config.ts';

@Module({
  imports: [OrganizationsModule],
  controllers: [OrgConfigController],
  providers: [GetOrgConfig, UpdateOrgConfig, OrgConfigRepository],
  exports: [OrgConfigRepository],
})
export class OrgConfigModule {}
