import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { NewMembership } from '../grants/placement.ts';
import { TechnicianFeed } from '../technicians/technician-feed.ts';
import { MembershipsRepository } from './memberships.repository.ts';

/**
 * Adds a membership to a user and publishes the user's new state. Sessions in other memberships continue, even if the
 * new membership is under enforcement.
 */
@Injectable()
export class JoinTenant {
  constructor(
    private readonly membershipsRepository: MembershipsRepository,
    private readonly technicianFeed: TechnicianFeed,
  ) {}

  /** @throws ProblemError email_taken when the user already has a membership in this tenant */
  async execute(tx: Tx, userId: string, membership: NewMembership): Promise<void> {
    await this.membershipsRepository.insert(tx, userId, membership);
    await this.technicianFeed.publish(tx, [userId]);
  }
}
