import { hasPartnerWidePolicyRights, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { MeResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { FactorsRepository } from '../factors/factors.repository.ts';
import { UsersRepository } from '../people/users.repository.ts';
import { SessionRecordsRepository } from '../sessions/session-records.repository.ts';

/** GET /auth/me: the user and the membership, also for an API key, and the permissions of the session or key. */
@Injectable()
export class GetMe {
  constructor(
    private readonly work: UnitOfWork,
    private readonly usersRepository: UsersRepository,
    private readonly factorsRepository: FactorsRepository,
    private readonly sessionRecordsRepository: SessionRecordsRepository,
  ) {}

  /** @throws ProblemError session_revoked when the user or the membership was deleted a moment ago */
  async execute(caller: UserCaller): Promise<MeResponse> {
    const { user, facts, methods } = await this.work.read(caller, async (reader) => ({
      user: await this.usersRepository.signedIn(reader, caller.userId),
      methods: await this.factorsRepository.methodsOf(reader, caller.userId),
      facts:
        caller.kind === 'user'
          ? await this.sessionRecordsRepository.factsOfSession(reader, caller.sessionId)
          : await this.sessionRecordsRepository.factsOfApiKey(reader, caller.id),
    }));
    if (!user || !facts) throw new ProblemError('session_revoked', 'This session has ended; sign in again.');
    const { signedInVia, mfaUntil, ...membership } = facts;
    return {
      user,
      scope: caller.level,
      partnerId: caller.partnerId,
      orgId: caller.orgId,
      permissions: [...caller.permissions],
      mfa: { satisfied: caller.mfa, enrolled: methods.length > 0, methods, until: mfaUntil },
      membership,
      partnerWidePolicyRights: hasPartnerWidePolicyRights(caller),
      signedInVia,
    };
  }
}
