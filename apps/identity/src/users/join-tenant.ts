import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';
import type { Placement } from './placement.ts';
import { TechnicianFeed } from './technician-feed.ts';
import { UsersRepository } from './users.repository.ts';

export type NewMembership = Placement & { readonly id: string; readonly roleId: string };

/** One more membership for somebody, and what follows from it for others and for the person. */
@Injectable()
export class JoinTenant {
  constructor(private readonly users: UsersRepository, private readonly technicians: TechnicianFeed, private readonly revocation: RevokeSessions) {}

  /** @throws Refusal email_taken when there is one in the same place */
  async execute(tx: Tx, userId: string, membership: NewMembership): Promise<void> {
    await this.users.addMembership(tx, { userId, ...membership });
    await this.technicians.publish(tx, [userId]);
    await this.revocation.ofNewlyGoverned(tx, [userId]);
  }
}
