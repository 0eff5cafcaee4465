import { asService, type Principal, type ServiceCaller } from '@gatehouse/contracts-core';
import {
  type IntrospectionResponse,
  PRESENT_PRINCIPAL,
  type PresentPrincipal,
  type PrincipalQuestion,
} from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { EventBus } from '@gatehouse/messaging';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
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

/** Replies to `audit`, which checks that the author of an export may still export when the file is fetched. */
@Injectable()
export class ReplyWithPrincipal implements OnApplicationBootstrap {
  constructor(
    private readonly work: UnitOfWork,
    private readonly credentialsRepository: IntrospectionRepository,
    private readonly bus: EventBus,
  ) {}

  onApplicationBootstrap(): void {
    this.bus.reply<PrincipalQuestion>(PRESENT_PRINCIPAL, (question) => this.reply(question));
  }

  async reply(question: PrincipalQuestion): Promise<PresentPrincipal> {
    return { principal: await this.find(question) };
  }

  private find(question: PrincipalQuestion): Promise<Principal | null> {
    return this.work.backgroundRead(asService('identity'), async (reader) => {
      if ('sessionId' in question) {
        const session = await this.credentialsRepository.session(reader, question.sessionId);
        return session && sessionPrincipal(session);
      }
      const key = await this.credentialsRepository.apiKey(reader, question.apiKeyId);
      return key && !key.expired && !key.suspended ? apiKeyPrincipal(key) : null;
    });
  }
}
