import { asService, type Principal } from '@gatehouse/contracts-core';
import { PRESENT_PRINCIPAL, type PresentPrincipal, type PrincipalQuestion } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { EventBus } from '@gatehouse/messaging';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { IntrospectionRepository } from './introspection.repository.ts';
import { apiKeyPrincipal, sessionPrincipal } from './principals.ts';

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
