import { Module } from '@nestjs/common';
import { PartnersModule } from '../partners/partners.module.ts';
import { ArchiveOrganization } from './archive/archive-organization.ts';
import { ArchiveController } from './archive/archive.controller.ts';
import { RestoreOrganization } from './archive/restore-organization.ts';
import { CreateOrganization } from './create-organization.ts';
import { DeleteOrganization } from './delete-organization.ts';
import { GetOrganization } from './get-organization.ts';
import { ListAllOrganizations } from './list-all-organizations.ts';
import { ListOrganizations } from './list-organizations.ts';
import { OrderOrganizations } from './order/order-organizations.ts';
import { OrganizationOrderController } from './order/organization-order.controller.ts';
import { OrganizationPlacesRepository } from './order/organization-places.repository.ts';
import { OrganizationsController } from './organizations.controller.ts';
import { OrganizationsRepository } from './organizations.repository.ts';
import { OrganizationSummaryController } from './summary/organization-summary.controller.ts';
import { OrganizationSummaryRepository } from './summary/organization-summary.repository.ts';
import { SummarizeOrganizations } from './summary/summarize-organizations.ts';
import { UpdateOrganization } from './update-organization.ts';

@Module({
  imports: [PartnersModule],
  controllers: [OrganizationsController, OrganizationSummaryController, OrganizationOrderController, ArchiveController],
  providers: [
    ListOrganizations,
    ListAllOrganizations,
    GetOrganization,
    CreateOrganization,
    UpdateOrganization,
    DeleteOrganization,
    OrderOrganizations,
    ArchiveOrganization,
    RestoreOrganization,
    OrganizationsRepository,
    OrganizationPlacesRepository,
    SummarizeOrganizations,
    OrganizationSummaryRepository,
  ],
  exports: [OrganizationsRepository, OrganizationPlacesRepository],
})
export class OrganizationsModule {}
