import { Module } from '@nestjs/common';
import { TokensModule } from '../tokens/tokens.module.ts';
import { TechniciansModule } from '../users/technicians.module.ts';
import { OpenSession } from './open-session.ts';
import { RefreshSession } from './refresh-session.ts';
import { RenewSession } from './renew-session.ts';
import { RevokeSessions } from './revoke-sessions.ts';
import { SessionsController } from './sessions.controller.ts';
import { SignOut } from './sign-out.ts';
import { GetMe } from './get-me.ts';

@Module({
  imports: [TokensModule, TechniciansModule],
  controllers: [SessionsController],
  providers: [OpenSession, RevokeSessions, RenewSession, RefreshSession, SignOut, GetMe],
  exports: [OpenSession, RevokeSessions, RenewSession],
})
export class SessionsModule {}
