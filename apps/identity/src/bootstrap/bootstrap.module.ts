import { Module } from '@nestjs/common';
import { FactorsModule } from '../factors/factors.module.ts';
import { MembershipsModule } from '../memberships/memberships.module.ts';
import { PasswordsModule } from '../passwords/passwords.module.ts';
import { PeopleModule } from '../people/people.module.ts';
import { BootstrapAdmin } from './bootstrap-admin.ts';
import { BootstrapRepository } from './bootstrap.repository.ts';
import { CreateAdministrator } from './create-administrator.ts';

@Module({
  imports: [FactorsModule, MembershipsModule, PasswordsModule, PeopleModule],
  providers: [BootstrapRepository, CreateAdministrator, BootstrapAdmin],
})
export class BootstrapModule {}
