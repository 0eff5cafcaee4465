import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { Placement } from './placement.ts';
import { TechnicianFeed } from './technician-feed.ts';
import { UsersRepository } from './users.repository.ts';

export type NewMembership = Placement & { readonly id: string; readonly roleId: string };

/**
 * One more membership for a person, told to the other services. Sessions in other memberships go on, whatever is
 * enforced in the new one.
 */
@Injectable()
export class JoinTenant {
  constructor(
    private readonly users: UsersRepository,
    private readonly technicians: TechnicianFeed,
  ) {}

  /** @throws ProblemError email_taken when there is one in the same place */
  async execute(tx: Tx, userId: string, membership: NewMembership): Promise<void> {
    await this.users.addMembership(tx, { userId, ...membership });
    await this.technicians.publish(tx, [userId]);
  }
}
