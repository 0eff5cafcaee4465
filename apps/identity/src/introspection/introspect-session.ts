import { asService, type ServiceCaller } from '@gatehouse/contracts-core';
import type { IntrospectionResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { CredentialsRepository } from './credentials.repository.ts';
import { sessionPrincipal } from './principals.ts';

/**
 * `POST /internal/introspect` with a session id. Uses the background connection pool, which requests cannot exhaust:
 * while a route of identity is stuck, the gateway can still authenticate all other callers.
 */
@Injectable()
export class IntrospectSession {
  constructor(
    private readonly work: UnitOfWork,
    private readonly credentialsRepository: CredentialsRepository,
  ) {}

  async execute({ id }: ServiceCaller, sessionId: string): Promise<IntrospectionResponse> {
    const row = await this.work.backgroundRead(asService(id), (reader) =>
      this.credentialsRepository.session(reader, sessionId),
    );
    return row ? { active: true, principal: sessionPrincipal(row) } : { active: false, code: 'session_revoked' };
  }
}
