import { Module } from '@nestjs/common';
import { EnforcementModule } from '../enforcement/enforcement.module.ts';
import { AccountsRepository } from './accounts.repository.ts';

@Module({ imports: [EnforcementModule], providers: [AccountsRepository], exports: [AccountsRepository] })
export class PeopleModule {}
