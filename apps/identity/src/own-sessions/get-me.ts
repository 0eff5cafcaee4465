import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { MeResponse, SignedInUserRecord } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { mfaMethodsOf } from '../people/factors.ts';

const PERSON = `SELECT id, email, name FROM users WHERE id = $1`;

/** GET /auth/me: the user, also for an API key, and the permissions of the session or key. */
@Injectable()
export class GetMe {
  constructor(private readonly work: UnitOfWork) {}

  async execute(caller: UserCaller): Promise<MeResponse> {
    const { user, methods } = await this.work.read(caller, async (reader) => ({
      user: await reader.one<SignedInUserRecord>(PERSON, [caller.userId]),
      methods: await mfaMethodsOf(reader, caller.userId),
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
