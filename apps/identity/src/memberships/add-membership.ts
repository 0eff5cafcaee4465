import type { UserCaller } from '@gatehouse/contracts-core';
import type { UserRecord } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { GrantedPlacement } from '../grants/placement.ts';
import { JoinTenant } from './join-tenant.ts';
import { RequireBreakGlassLimit } from './require-break-glass-limit.ts';
import { UsersRepository } from '../people/users.repository.ts';

/** Gives another membership to a user within the caller's reach. */
@Injectable()
export class AddMembership {
  constructor(
    private readonly usersRepository: UsersRepository,
    private readonly joinTenant: JoinTenant,
    private readonly requireBreakGlassLimit: RequireBreakGlassLimit,
  ) {}

  /** @throws ProblemError email_taken, break_glass_limit_reached */
  async execute(tx: Tx, caller: UserCaller, userId: string, admitted: GrantedPlacement): Promise<UserRecord> {
    await this.joinTenant.execute(tx, userId, { id: newId(), ...admitted });
    const user = await this.usersRepository.find(tx, caller.scope, userId);
    if (!user) throw new Error('a user who was just added is out of reach');
    if (user.breakGlass) await this.requireBreakGlassLimit.execute(tx, userId, [admitted]);
    return user;
  }
}
