import { Module } from '@nestjs/common';
import { JoinTenant } from './join-tenant.ts';
import { TechniciansModule } from './technicians.module.ts';
import { UsersRepository } from './users.repository.ts';

@Module({
  imports: [TechniciansModule],
  providers: [UsersRepository, JoinTenant],
  exports: [UsersRepository, JoinTenant],
})
export class UserStoreModule {}
