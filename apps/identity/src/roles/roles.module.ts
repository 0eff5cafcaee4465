import { Module } from '@nestjs/common';
import { OffersModule } from '../offers/offers.module.ts';
import { TechniciansModule } from '../technicians/technicians.module.ts';
import { TenantRefsModule } from '../tenant-refs/tenant-refs.module.ts';
import { CreateRole } from './create-role.ts';
import { DeleteRole } from './delete-role.ts';
import { FindChangeableRole } from './find-changeable-role.ts';
import { FindRoleOwner } from './find-role-owner.ts';
import { ListRoles } from './list-roles.ts';
import { RolesController } from './roles.controller.ts';
import { RolesRepository } from './roles.repository.ts';
import { UpdateRole } from './update-role.ts';

@Module({
  imports: [OffersModule, TechniciansModule, TenantRefsModule],
  controllers: [RolesController],
  providers: [RolesRepository, FindRoleOwner, FindChangeableRole, ListRoles, CreateRole, UpdateRole, DeleteRole],
  exports: [RolesRepository],
})
export class RolesModule {}
