import { Module } from '@nestjs/common';
import { HiddenOrganizationsRepository } from './hidden-organizations.repository.ts';
import { OrganizationsRepository } from './organizations.repository.ts';
import { Owners } from './owners.ts';

@Module({
  providers: [OrganizationsRepository, HiddenOrganizationsRepository, Owners],
  exports: [OrganizationsRepository, HiddenOrganizationsRepository, Owners],
})
export class OrganizationsModule {}
