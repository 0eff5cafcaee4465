import { Module } from '@nestjs/common';
import { AccessTokens } from './access-tokens.ts';
import { JwksController } from './jwks.controller.ts';
import { SignOfflineRules } from './sign-offline-rules.ts';
import { SigningKeyRotation } from './signing-key-rotation.ts';
import { SigningKeys } from './signing-keys.ts';
import { SigningKeysRepository } from './signing-keys.repository.ts';

@Module({
  controllers: [JwksController],
  providers: [SigningKeys, SigningKeyRotation, SigningKeysRepository, AccessTokens, SignOfflineRules],
  exports: [AccessTokens],
})
export class TokensModule {}
