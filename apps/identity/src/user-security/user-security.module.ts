import { Module } from '@nestjs/common';
import { FactorsModule } from '../factors/factors.module.ts';
import { MembershipsModule } from '../memberships/memberships.module.ts';
import { PasswordsModule } from '../passwords/passwords.module.ts';
import { PeopleModule } from '../people/people.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { EndUserSessions } from './end-user-sessions.ts';
import { ListUserSessions } from './list-user-sessions.ts';
import { RemoveFactors } from './remove-factors.ts';
import { ResetSecondFactor } from './reset-second-factor.ts';
import { UserSecurityController } from './user-security.controller.ts';

@Module({
  imports: [FactorsModule, MembershipsModule, PasswordsModule, PeopleModule, SessionsModule],
  controllers: [UserSecurityController],
  providers: [ResetSecondFactor, RemoveFactors, ListUserSessions, EndUserSessions],
})
export class UserSecurityModule {}
