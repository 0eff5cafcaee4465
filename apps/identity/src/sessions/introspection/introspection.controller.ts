import { CurrentCaller, Internal } from '@gatehouse/auth';
import { invalid, type ServiceCaller, Text, Uuid } from '@gatehouse/contracts-core';
import type { IntrospectionResponse, IntrospectionRequest } from '@gatehouse/contracts-identity';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { IntrospectionService } from './introspection.service.ts';

class IntrospectionInput implements IntrospectionRequest {
  @Uuid({ optional: true }) sessionId?: string;
  @Text({ optional: true, max: 64 }) apiKeyHash?: string;
}

@ApiExcludeController()
@Controller('internal')
export class IntrospectionController {
  constructor(private readonly introspection: IntrospectionService) {}

  @Post('introspect')
  @Internal()
  @HttpCode(200)
  answer(
    @CurrentCaller() caller: ServiceCaller,
    @Body() { sessionId, apiKeyHash }: IntrospectionInput,
  ): Promise<IntrospectionResponse> {
    if (sessionId) return this.introspection.introspectSession(caller, sessionId);
    if (apiKeyHash) return this.introspection.introspectApiKey(caller, apiKeyHash);
    throw invalid('sessionId', 'or apiKeyHash must be given');
  }
}
