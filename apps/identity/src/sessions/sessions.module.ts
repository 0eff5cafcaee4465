import { Module } from '@nestjs/common';
import { TokensModule } from '../tokens/tokens.module.ts';
import { TechniciansModule } from '../users/technicians.module.ts';
import { OpenSession } from './open-session.ts';
import { RevokeSessions } from './revoke-sessions.ts';

@Module({ imports: [TokensModule, TechniciansModule], providers: [OpenSession, RevokeSessions], exports: [OpenSession, RevokeSessions] })
export class SessionsModule {}
