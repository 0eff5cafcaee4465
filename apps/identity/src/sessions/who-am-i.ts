import type { UserCaller } from '@gatehouse/contracts-core';
import type { Me } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { mfaMethodsOf } from '../people/factors.ts';

/** GET /auth/me. */
@Injectable()
export class WhoAmI {
  constructor(private readonly work: UnitOfWork) {}

  async execute(caller: UserCaller): Promise<Me> {
    const methods = await this.work.read(caller, (reader) => mfaMethodsOf(reader, caller.userId));
    return {
      user: { id: caller.userId, email: caller.email ?? '', name: caller.name },
      scope: caller.level,
      partnerId: caller.partnerId,
      orgId: caller.orgId,
      permissions: [...caller.permissions],
      mfa: { satisfied: caller.mfa, enrolled: methods.length > 0 },
    };
  }
}
