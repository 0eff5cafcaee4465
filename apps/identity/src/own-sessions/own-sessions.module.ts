import { Module } from '@nestjs/common';
import { FactorsModule } from '../factors/factors.module.ts';
import { PeopleModule } from '../people/people.module.ts';
import { SessionCookieModule } from '../session-cookie/session-cookie.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { TokensModule } from '../tokens/tokens.module.ts';
import { EndOwnSession } from './end-own-session.ts';
import { GetMe } from './get-me.ts';
import { ListOwnSessions } from './list-own-sessions.ts';
import { OwnSessionsController } from './own-sessions.controller.ts';
import { RefreshSession } from './refresh-session.ts';
import { SessionListController } from './session-list.controller.ts';
import { SignOutEverywhere } from './sign-out-everywhere.ts';
import { SignOut } from './sign-out.ts';

@Module({
  imports: [FactorsModule, PeopleModule, SessionCookieModule, SessionsModule, TokensModule],
  controllers: [OwnSessionsController, SessionListController],
  providers: [RefreshSession, SignOut, SignOutEverywhere, GetMe, ListOwnSessions, EndOwnSession],
})
export class OwnSessionsModule {}
