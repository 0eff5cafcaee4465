import { Module } from '@nestjs/common';
import { EnforcementModule } from '../enforcement/enforcement.module.ts';
import { PeopleModule } from '../people/people.module.ts';
import { SessionCookieModule } from '../session-cookie/session-cookie.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { ListOwnMemberships } from './list-own-memberships.ts';
import { MoveSession } from './move-session.ts';
import { OwnMembershipsController } from './own-memberships.controller.ts';
import { SwitchMembership } from './switch-membership.ts';

@Module({
  imports: [EnforcementModule, PeopleModule, SessionCookieModule, SessionsModule],
  controllers: [OwnMembershipsController],
  providers: [ListOwnMemberships, MoveSession, SwitchMembership],
})
export class OwnMembershipsModule {}
