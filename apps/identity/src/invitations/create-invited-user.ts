import { newId } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { JoinTenant, type NewMembership } from '../memberships/join-tenant.ts';
import { UsersRepository } from '../people/users.repository.ts';
import { OPEN_OFFER } from '../offers/open-offers.ts';

/** The stored row of an invitation that is being accepted. */
export interface Accepted extends Omit<NewMembership, 'id'> {
  readonly id: string;
  readonly membershipId: string;
  readonly email: string;
  readonly name: string;
  readonly authorId: string | null;
  readonly takenAt: string | null;
}

export const ACCEPTED =
  'm.id, m.membership_id, m.email, m.name, m.author_id, m.taken_at, m.level, m.partner_id, m.org_id, m.role_id, m.org_access, m.org_ids, m.site_ids';
/**
 * Also accepts other invitations from the same tenant or the same author. That author could add an existing user to
 * those tenants without sending another invitation.
 */
const ACCEPT_RELATED = `
  WITH taken AS (
    UPDATE membership_offers m SET taken_at = now()
     WHERE m.email = $1 AND NOT m.suspended AND ${OPEN_OFFER} AND (m.partner_id IS NOT DISTINCT FROM $3::uuid OR m.author_id = $4::uuid)
       AND NOT EXISTS (SELECT FROM org_ref o WHERE o.org_id = m.org_id AND (o.deleted OR o.status IN ('archived', 'merging', 'purging')))
    RETURNING *)
  INSERT INTO memberships (id, user_id, role_id, level, partner_id, org_id, org_access, org_ids, site_ids)
  SELECT membership_id, $2, role_id, level, partner_id, org_id, org_access, org_ids, site_ids FROM taken ON CONFLICT DO NOTHING`;
const CONSUME_FOR_ORG = `
  DELETE FROM membership_offers m WHERE m.email = $1 AND m.level = 'organization' AND m.org_id = $2 AND NOT m.suspended AND ${OPEN_OFFER} RETURNING ${ACCEPTED}`;

/** Creates the account of an invited user who had none, with the memberships that were offered to them. */
@Injectable()
export class CreateInvitedUser {
  constructor(
    private readonly users: UsersRepository,
    private readonly joining: JoinTenant,
  ) {}

  /** @param offer already deleted from the table @returns the id of the new account @throws ProblemError email_taken */
  async execute(tx: Tx, offer: Accepted): Promise<string> {
    const { id, email, name, partnerId, authorId, membershipId, ...place } = offer;
    const userId = offer.takenAt === null ? id : newId();
    await this.users.insert(tx, { id: userId, email, name });
    await tx.query(ACCEPT_RELATED, [email, userId, partnerId, authorId]);
    await this.joining.execute(tx, userId, { ...place, partnerId, id: membershipId });
    return userId;
  }

  /** Accepts an organisation's invitation at the first sign-in through its provider, if the address has no account. */
  async bySingleSignOn(
    tx: Tx,
    { id: providerId, orgId }: { readonly id: string; readonly orgId: string | null },
    email: string,
  ): Promise<void> {
    if (orgId === null || (await this.users.idOfEmail(tx, email)) !== null) return;
    const offer = await tx.one<Accepted>(CONSUME_FOR_ORG, [email, orgId]);
    if (!offer) return;
    const userId = await this.execute(tx, offer);
    const actor = { type: 'user' as const, id: userId, name: offer.name };
    tx.audit({
      action: 'user.invite.accept',
      resource: { type: 'user', id: userId, name: email },
      actor,
      partnerId: offer.partnerId,
      orgId,
      details: { providerId },
    });
  }
}
