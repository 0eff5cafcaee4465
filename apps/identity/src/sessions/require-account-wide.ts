import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { Reader } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { SessionsRepository } from './sessions.repository.ts';

/**
 * Factors and passwords protect every membership of a user, but an identity provider is trusted by one tenant only. A
 * session that a provider opened cannot change them while the user has memberships in other tenants, whatever second
 * factor was proved in it.
 */
@Injectable()
export class RequireAccountWide {
  constructor(private readonly sessionsRepository: SessionsRepository) {}

  /** @throws ProblemError permission_denied */
  async execute(reader: Reader, { sessionId }: UserCaller): Promise<void> {
    if (!(await this.sessionsRepository.isOfOneTenant(reader, sessionId))) return;
    throw new ProblemError(
      'permission_denied',
      'An identity provider of one of your organisations opened this session. Sign in with your password to change what guards your whole account.',
    );
  }
}
