import { CurrentCaller, OperatorRoute, Public } from '@gatehouse/auth';
import { API_PREFIX, Flag, type ServiceCaller } from '@gatehouse/contracts-core';
import { Body, Controller, Get, Header, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { JSONWebKeySet } from 'jose';
import { SigningKeyRotation } from './signing-key-rotation.ts';
import { JWKS_MAX_AGE_SECONDS, SigningKeys } from './signing-keys.ts';

const JWKS = '.well-known/jwks.json';
/** Both paths of the key set are complete, so the global prefix is not added to either. */
export const JWKS_PATHS = [JWKS, `${API_PREFIX.slice(1)}/${JWKS}`];

class RotateSigningKeyDto {
  @Flag({ optional: true }) emergency?: boolean;
}

@ApiTags('keys')
@Controller()
export class JwksController {
  constructor(
    private readonly signingKeys: SigningKeys,
    private readonly signingKeyRotation: SigningKeyRotation,
  ) {}

  /**
   * Publishes the keys that verify access tokens. A new key is published long before it signs the first token, so a
   * copy can be cached for as long as the Cache-Control header of the response says.
   */
  @Get(JWKS_PATHS)
  @Public()
  @Header('cache-control', `public, max-age=${JWKS_MAX_AGE_SECONDS}`)
  @ApiOkResponse({ schema: { type: 'object', properties: { keys: { type: 'array', items: { type: 'object' } } } } })
  jwks(): Promise<JSONWebKeySet> {
    return this.signingKeys.jwks();
  }

  @Post('internal/signing-keys/rotate')
  @OperatorRoute()
  @ApiExcludeEndpoint()
  @HttpCode(200)
  rotate(@CurrentCaller() caller: ServiceCaller, @Body() { emergency }: RotateSigningKeyDto): Promise<{ kid: string }> {
    return emergency ? this.signingKeyRotation.replaceAll(caller) : this.signingKeyRotation.rotate(caller);
  }
}
