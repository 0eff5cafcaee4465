import { asService, type ServiceCaller } from '@gatehouse/contracts-core';
import type { IntrospectionResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { IntrospectionRepository } from './introspection.repository.ts';
import { apiKeyPrincipal, sessionPrincipal } from './principals.ts';

@Injectable()
export class IntrospectionService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly credentialsRepository: IntrospectionRepository,
  ) {}

  /**
   * `POST /internal/introspect` with a key's hash. Uses the background connection pool, which requests cannot exhaust:
   * while a route of identity is stuck, the gateway can still authenticate all other callers.
   */
  async introspectApiKey({ id }: ServiceCaller, keyHash: string): Promise<IntrospectionResponse> {
    const row = await this.work.background(asService(id), (tx) => this.credentialsRepository.useApiKey(tx, keyHash));
    if (!row || row.suspended) return { active: false, code: 'token_invalid' };
    return row.expired ? { active: false, code: 'token_expired' } : { active: true, principal: apiKeyPrincipal(row) };
  }

  /**
   * `POST /internal/introspect` with a session id. Uses the background connection pool, which requests cannot exhaust:
   * while a route of identity is stuck, the gateway can still authenticate all other callers.
   */
  async introspectSession({ id }: ServiceCaller, sessionId: string): Promise<IntrospectionResponse> {
    const row = await this.work.backgroundRead(asService(id), (reader) =>
      this.credentialsRepository.session(reader, sessionId),
    );
    return row ? { active: true, principal: sessionPrincipal(row) } : { active: false, code: 'session_revoked' };
  }
}
