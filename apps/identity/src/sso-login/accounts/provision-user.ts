import { newId } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import type { Identity } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import type { SsoProvider } from '../../sso-providers/store/sso-provider.entity.ts';
import { TechnicianFeed } from '../../technicians/technician-feed.ts';
import { NewcomersRepository } from './newcomers.repository.ts';

export interface ProvisionedUser {
  readonly kind: 'sign_in';
  readonly userId: string;
  readonly membershipId: string;
  readonly breakGlass: false;
}

/** Creates the account of a new user: without a password, in the provider's organisation, with its default role. */
@Injectable()
export class ProvisionUser {
  constructor(
    private readonly newcomersRepository: NewcomersRepository,
    private readonly technicianFeed: TechnicianFeed,
  ) {}

  async execute(
    tx: Tx,
    { id: providerId, partnerId, orgId, defaultRoleId: roleId }: SsoProvider,
    { email, name }: Identity,
  ): Promise<ProvisionedUser> {
    const [userId, membershipId] = [newId(), newId()] as const;
    await this.newcomersRepository.insertUser(tx, { userId, email, name });
    await this.newcomersRepository.insertMembership(tx, { membershipId, userId, partnerId, orgId, roleId });
    await this.technicianFeed.publish(tx, [userId]);
    tx.audit({
      action: 'user.create',
      resource: { type: 'user', id: userId, name: email },
      partnerId,
      orgId,
      details: { providerId, roleId },
    });
    return { kind: 'sign_in', userId, membershipId, breakGlass: false };
  }
}
