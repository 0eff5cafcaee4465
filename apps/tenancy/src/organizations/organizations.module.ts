import { Module } from '@nestjs/common';
import { CreateOrganization } from './create-organization.ts';
import { DeleteOrganization } from './delete-organization.ts';
import { GetOrganization } from './get-organization.ts';
import { ListOrganizations } from './list-organizations.ts';
import { OrderOrganizations } from './order-organizations.ts';
import { OrganizationsController } from './organizations.controller.ts';
import { UpdateOrganization } from './update-organization.ts';

@Module({
  controllers: [OrganizationsController],
  providers: [ListOrganizations, GetOrganization, CreateOrganization, UpdateOrganization, DeleteOrganization, OrderOrganizations],
})
export class OrganizationsModule {}
