import { newId } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import type { Identity } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import type { SsoProvider } from '../../sso-providers/store/sso-provider.entity.ts';
import { TechnicianFeed } from '../../technicians/technician-feed.ts';

const ADD_USER = `INSERT INTO users (id, email, name, status) VALUES ($1, $2, $3, 'active')`;
const ADD_MEMBERSHIP = `INSERT INTO memberships (id, user_id, level, partner_id, org_id, role_id) VALUES ($1, $2, 'organization', $3, $4, $5)`;

/** Creates the account of a new user: without a password, in the provider's organisation, with its default role. */
@Injectable()
export class ProvisionUser {
  constructor(private readonly technicians: TechnicianFeed) {}

  async execute(
    tx: Tx,
    { id, partnerId, orgId, defaultRoleId }: SsoProvider,
    { email, name }: Identity,
  ): Promise<{ kind: 'sign_in'; userId: string; membershipId: string; breakGlass: false }> {
    const [userId, membershipId] = [newId(), newId()] as const;
    await tx.query(ADD_USER, [userId, email, name]);
    await tx.query(ADD_MEMBERSHIP, [membershipId, userId, partnerId, orgId, defaultRoleId]);
    await this.technicians.publish(tx, [userId]);
    tx.audit({
      action: 'user.create',
      resource: { type: 'user', id: userId, name: email },
      partnerId,
      orgId,
      details: { providerId: id, roleId: defaultRoleId },
    });
    return { kind: 'sign_in', userId, membershipId, breakGlass: false };
  }
}
