import { Module } from '@nestjs/common';
import { CredentialsRepository } from './credentials.repository.ts';
import { IntrospectApiKey } from './introspect-api-key.ts';
import { IntrospectSession } from './introspect-session.ts';
import { IntrospectionController } from './introspection.controller.ts';
import { ReplyWithPrincipal } from './reply-with-principal.ts';

@Module({
  controllers: [IntrospectionController],
  providers: [IntrospectSession, IntrospectApiKey, ReplyWithPrincipal, CredentialsRepository],
})
export class IntrospectionModule {}
