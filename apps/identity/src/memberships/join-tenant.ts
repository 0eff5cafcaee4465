import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { Placement } from '../grants/placement.ts';
import { TechnicianFeed } from '../technicians/technician-feed.ts';
import { UsersRepository } from '../people/users.repository.ts';

export type NewMembership = Placement & { readonly id: string; readonly roleId: string };

/**
 * Adds a membership to a user and publishes the user's new state. Sessions in other memberships continue, even if the
 * new membership is under enforcement.
 */
@Injectable()
export class JoinTenant {
  constructor(
    private readonly users: UsersRepository,
    private readonly technicians: TechnicianFeed,
  ) {}

  /** @throws ProblemError email_taken when the user already has a membership in this tenant */
  async execute(tx: Tx, userId: string, membership: NewMembership): Promise<void> {
    await this.users.addMembership(tx, { userId, ...membership });
    await this.technicians.publish(tx, [userId]);
  }
}
