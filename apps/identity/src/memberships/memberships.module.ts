import { Module } from '@nestjs/common';
import { JoinTenant } from './join-tenant.ts';
import { TechniciansModule } from '../technicians/technicians.module.ts';
import { UsersRepository } from '../people/users.repository.ts';

@Module({
  imports: [TechniciansModule],
  providers: [UsersRepository, JoinTenant],
  exports: [UsersRepository, JoinTenant],
})
export class MembershipsModule {}
