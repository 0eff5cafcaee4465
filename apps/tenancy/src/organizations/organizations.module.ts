import { Module } from '@nestjs/common';
import { ArchiveController } from './archive.controller.ts';
import { ArchiveOrganization } from './archive-organization.ts';
import { CreateOrganization } from './create-organization.ts';
import { DeleteOrganization } from './delete-organization.ts';
import { GetOrganization } from './get-organization.ts';
import { ListOrganizations } from './list-organizations.ts';
import { OrderOrganizations } from './order-organizations.ts';
import { OrganizationsController } from './organizations.controller.ts';
import { RestoreOrganization } from './restore-organization.ts';
import { UpdateOrganization } from './update-organization.ts';

@Module({
  controllers: [OrganizationsController, ArchiveController],
  providers: [
    ListOrganizations,
    GetOrganization,
    CreateOrganization,
    UpdateOrganization,
    DeleteOrganization,
    OrderOrganizations,
    ArchiveOrganization,
    RestoreOrganization,
  ],
})
export class OrganizationsModule {}
