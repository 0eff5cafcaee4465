import { Module } from '@nestjs/common';
import { AccountsRepository } from './accounts.repository.ts';

@Module({ providers: [AccountsRepository], exports: [AccountsRepository] })
export class PeopleModule {}
