import { invalid, type UserCaller } from '@gatehouse/contracts-core';
import type { MembershipDto, MembershipRecord } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { placementIn, sameTarget } from '../grants/placement.ts';
import { MembershipGrants } from '../memberships/membership-grants.ts';
import { MembershipsRepository } from '../memberships/memberships.repository.ts';
import { RemoveProviderFactors } from '../own-factors/remove-provider-factors.ts';
import type { StoredUser } from '../people/users.repository.ts';

/** Changes a user's membership in the same tenant. Without one, replaces the only membership within reach. */
@Injectable()
export class ChangeMembership {
  constructor(
    private readonly membershipGrants: MembershipGrants,
    private readonly membershipsRepository: MembershipsRepository,
    private readonly removeProviderFactors: RemoveProviderFactors,
  ) {}

  async execute(tx: Tx, caller: UserCaller, user: StoredUser, input: MembershipDto): Promise<void> {
    const { id, memberships } = user;
    const admitted = await this.membershipGrants.admit(tx, caller, input);
    const there = memberships.find((membership) => sameTarget(placementIn(membership), admitted));
    if (there) return this.membershipsRepository.update(tx, there.id, admitted);
    await this.removeProviderFactors.execute(tx, user);
    await this.membershipsRepository.delete(tx, [onlyOne(memberships).id]);
    await this.membershipsRepository.insert(tx, id, { id: newId(), ...admitted });
  }
}

function onlyOne(memberships: readonly MembershipRecord[]): MembershipRecord {
  const [only, second] = memberships;
  if (!only || second)
    throw invalid('membership', 'is none of the memberships that this person has; add it by inviting them there');
  return only;
}
