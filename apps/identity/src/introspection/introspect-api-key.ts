import { asService, type ServiceCaller } from '@gatehouse/contracts-core';
import type { IntrospectionResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { CredentialsRepository } from './credentials.repository.ts';
import { apiKeyPrincipal } from './principals.ts';

/**
 * `POST /internal/introspect` with a key's hash. Uses the background connection pool, which requests cannot exhaust:
 * while a route of identity is stuck, the gateway can still authenticate all other callers.
 */
@Injectable()
export class IntrospectApiKey {
  constructor(
    private readonly work: UnitOfWork,
    private readonly credentialsRepository: CredentialsRepository,
  ) {}

  async execute({ id }: ServiceCaller, keyHash: string): Promise<IntrospectionResponse> {
    const row = await this.work.background(asService(id), (tx) => this.credentialsRepository.useApiKey(tx, keyHash));
    if (!row || row.suspended) return { active: false, code: 'token_invalid' };
    return row.expired ? { active: false, code: 'token_expired' } : { active: true, principal: apiKeyPrincipal(row) };
  }
}
