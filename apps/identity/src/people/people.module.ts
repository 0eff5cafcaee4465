import { Module } from '@nestjs/common';
import { FactorsModule } from '../factors/factors.module.ts';
import { AccountsRepository } from './accounts.repository.ts';
import { UsersRepository } from './users.repository.ts';

@Module({
  imports: [FactorsModule],
  providers: [AccountsRepository, UsersRepository],
  exports: [AccountsRepository, UsersRepository],
})
export class PeopleModule {}
