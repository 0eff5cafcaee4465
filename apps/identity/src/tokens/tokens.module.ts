import { Module } from '@nestjs/common';
import { AccessTokens } from './access-tokens.ts';
import { JwksController } from './jwks.controller.ts';
import { SigningKeys } from './signing-keys.ts';

@Module({ controllers: [JwksController], providers: [SigningKeys, AccessTokens], exports: [AccessTokens] })
export class TokensModule {}
