import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { MeResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { FactorsRepository } from '../factors/factors.repository.ts';
import { UsersRepository } from '../people/users.repository.ts';

/** GET /auth/me: the user, also for an API key, and the permissions of the session or key. */
@Injectable()
export class GetMe {
  constructor(
    private readonly work: UnitOfWork,
    private readonly usersRepository: UsersRepository,
    private readonly factorsRepository: FactorsRepository,
  ) {}

  async execute(caller: UserCaller): Promise<MeResponse> {
    const { user, methods } = await this.work.read(caller, async (reader) => ({
      user: await this.usersRepository.signedIn(reader, caller.userId),
      methods: await this.factorsRepository.methodsOf(reader, caller.userId),
    }));
    if (!user) throw new ProblemError('session_revoked', 'This session has ended; sign in again.');
    return {
      user,
      scope: caller.level,
      partnerId: caller.partnerId,
      orgId: caller.orgId,
      permissions: [...caller.permissions],
      mfa: { satisfied: caller.mfa, enrolled: methods.length > 0 },
    };
  }
}
