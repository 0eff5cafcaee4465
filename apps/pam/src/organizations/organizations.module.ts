import { Module } from '@nestjs/common';
import { HiddenOrganizationsRepository } from './hidden-organizations.repository.ts';
import { OrganizationsRepository } from './organizations.repository.ts';

@Module({
  providers: [OrganizationsRepository, HiddenOrganizationsRepository],
  exports: [OrganizationsRepository, HiddenOrganizationsRepository],
})
export class OrganizationsModule {}
