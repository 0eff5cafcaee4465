import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { OrgConfigController } from './org-config.controller.ts';
import { OrgConfigRepository } from './org-config.repository.ts';
import { SetOrgConfig } from './set-org-config.ts';

@Module({
  imports: [OrganizationsModule],
  controllers: [OrgConfigController],
  providers: [SetOrgConfig, OrgConfigRepository],
})
export class OrgConfigModule {}
