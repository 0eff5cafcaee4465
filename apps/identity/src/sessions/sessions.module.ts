import { Module } from '@nestjs/common';
import { TokensModule } from '../tokens/tokens.module.ts';
import { TechniciansModule } from '../technicians/technicians.module.ts';
import { OpenSession } from './open-session.ts';
import { RefreshSession } from '../own-sessions/refresh-session.ts';
import { RenewSession } from './renew-session.ts';
import { RevokeSessions } from './revoke-sessions.ts';
import { OwnSessionsController } from '../own-sessions/own-sessions.controller.ts';
import { SignOut } from '../own-sessions/sign-out.ts';
import { GetMe } from '../own-sessions/get-me.ts';

@Module({
  imports: [TokensModule, TechniciansModule],
  controllers: [OwnSessionsController],
  providers: [OpenSession, RevokeSessions, RenewSession, RefreshSession, SignOut, GetMe],
  exports: [OpenSession, RevokeSessions, RenewSession],
})
export class SessionsModule {}
