import { Module } from '@nestjs/common';
import { FactorsModule } from '../factors/factors.module.ts';
import { PeopleModule } from '../people/people.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { TokensModule } from '../tokens/tokens.module.ts';
import { GetMe } from './get-me.ts';
import { OwnSessionsController } from './own-sessions.controller.ts';
import { RefreshSession } from './refresh-session.ts';
import { SignOutEverywhere } from './sign-out-everywhere.ts';
import { SignOut } from './sign-out.ts';

@Module({
  imports: [FactorsModule, PeopleModule, SessionsModule, TokensModule],
  controllers: [OwnSessionsController],
  providers: [RefreshSession, SignOut, SignOutEverywhere, GetMe],
})
export class OwnSessionsModule {}
