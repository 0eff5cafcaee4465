import { Module } from '@nestjs/common';
import { TechniciansModule } from '../technicians/technicians.module.ts';
import { TokensModule } from '../tokens/tokens.module.ts';
import { OpenSession } from './open-session.ts';
import { RefreshTokensRepository } from './refresh-tokens.repository.ts';
import { RenewSession } from './renew-session.ts';
import { RequireAccountWide } from './require-account-wide.ts';
import { RevokeSessions } from './revoke-sessions.ts';
import { SessionRecordsRepository } from './session-records.repository.ts';
import { SessionsRepository } from './sessions.repository.ts';

const SHARED = [
  SessionsRepository,
  SessionRecordsRepository,
  RefreshTokensRepository,
  OpenSession,
  RevokeSessions,
  RenewSession,
  RequireAccountWide,
];

@Module({ imports: [TokensModule, TechniciansModule], providers: SHARED, exports: SHARED })
export class SessionsModule {}
