import { asService, type UserCaller } from '@gatehouse/contracts-core';
import type { OwnMembershipListResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { AccountsRepository } from '../people/accounts.repository.ts';
import { sessionOf } from '../sessions/session-of.ts';
import { SessionsRepository } from '../sessions/sessions.repository.ts';

/**
 * GET /auth/memberships: the memberships that this session may switch to, and its own. An identity provider is trusted
 * by one tenant only, so a session that a provider opened sees only its own membership.
 */
@Injectable()
export class ListOwnMemberships {
  constructor(
    private readonly work: UnitOfWork,
    private readonly accountsRepository: AccountsRepository,
    private readonly sessionsRepository: SessionsRepository,
  ) {}

  async execute(caller: UserCaller): Promise<OwnMembershipListResponse> {
    const sessionId = sessionOf(caller);
    const { account, session } = await this.work.read(asService('identity', caller.origin), async (reader) => ({
      account: await this.accountsRepository.byId(reader, caller.userId),
      session: await this.sessionsRepository.findLive(reader, sessionId),
    }));
    const isOpen = ({ id, governed }: { id: string; governed: boolean }): boolean =>
      id === session?.membershipId || (session?.via !== 'sso' && !governed);
    const memberships = account?.memberships.filter(isOpen) ?? [];
    return {
      data: memberships.map(({ governed: _, ...membership }) => ({
        ...membership,
        current: membership.id === session?.membershipId,
      })),
    };
  }
}
