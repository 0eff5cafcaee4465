import type { Tx, Reader } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { ADMINISTERS_OWNER, type GrantedPlacement, type NewMembership } from '../grants/placement.ts';
import { OPEN_OFFER } from './offers.repository.ts';
import { ofLiving } from '../../tenants/tenant-refs/tenant-refs.repository.ts';

const ACCEPTED =
  'm.id, m.membership_id, m.email, m.name, m.author_id, m.taken_at, m.level, m.partner_id, m.org_id, m.role_id, m.org_access, m.org_ids, m.site_ids';
const VALID = `m.token_hash = $1 AND m.expires_at > now() AND NOT m.suspended AND is_offer_backed(m.id)
  AND ${ofLiving('m.org_id')}`;
const FIND = `
  SELECT m.email, m.name, m.author_name AS invited_by, m.partner_id, m.org_id, EXISTS (SELECT FROM sso_providers p
   WHERE p.status = 'active' AND p.enforce_sso AND p.partner_id = m.partner_id AND CASE m.level WHEN 'organization' THEN
   p.org_id = m.org_id ELSE p.owner_partner_id = m.partner_id END) AS enforced FROM membership_offers m WHERE ${VALID}`;
/** The deletion of a role locks the role first and its offers second: so does an acceptance. */
const lockRole = (offer: string): string =>
  `SELECT FROM roles r JOIN membership_offers m ON m.role_id = r.id WHERE ${offer} FOR KEY SHARE OF r`;
const LOCK_ROLE = lockRole('m.token_hash = $1');
const OF_ORGANIZATION = `m.email = $2 AND m.level = 'organization'`;
const LOCK_ROLE_OF_ORGANIZATION = lockRole(
  `${OF_ORGANIZATION} AND m.org_id = (SELECT org_id FROM sso_providers WHERE id = $1)`,
);
const CONSUME = `DELETE FROM membership_offers m WHERE ${VALID} RETURNING ${ACCEPTED}`;
/** Only what the author of the provider's trust could give: else that author would become whom others invite. */
const CONSUME_OF_ORGANIZATION = `
  DELETE FROM membership_offers m USING sso_providers p, roles r
   WHERE p.id = $1 AND ${OF_ORGANIZATION} AND m.org_id = p.org_id AND NOT m.suspended
     AND ${OPEN_OFFER} AND r.id = m.role_id
     AND EXISTS (SELECT FROM live_memberships c WHERE c.user_id = p.trusted_by AND ${ADMINISTERS_OWNER}
       AND ('*' = ANY (c.permissions) OR ('organizations:write' = ANY (c.permissions)
         AND r.permissions <@ c.permissions))) RETURNING ${ACCEPTED}`;
const ACCEPT_RELATED = `
  WITH taken AS (
    UPDATE membership_offers m SET taken_at = now()
     WHERE m.email = $1 AND NOT m.suspended AND ${OPEN_OFFER}
       AND (m.partner_id IS NOT DISTINCT FROM $3::uuid OR m.author_id = $4::uuid)
       AND NOT EXISTS (SELECT FROM org_ref o WHERE o.org_id = m.org_id
         AND (o.deleted OR o.status IN ('archived', 'merging', 'purging')))
    RETURNING *)
  INSERT INTO memberships (id, user_id, role_id, level, partner_id, org_id, org_access, org_ids, site_ids)
  SELECT membership_id, $2, role_id, level, partner_id, org_id, org_access, org_ids, site_ids FROM taken
    ON CONFLICT DO NOTHING RETURNING level, partner_id, org_id, role_id, org_access, org_ids, site_ids`;

/** The stored row of an invitation that is being accepted. */
export interface AcceptedOffer extends Omit<NewMembership, 'id'> {
  readonly id: string;
  readonly membershipId: string;
  readonly email: string;
  readonly name: string;
  readonly authorId: string | null;
  readonly takenAt: Date | null;
}

/** A valid invitation, as the holder of its token may read it. */
export interface FoundOffer {
  readonly email: string;
  readonly name: string;
  readonly invitedBy: string;
  readonly partnerId: string | null;
  readonly orgId: string | null;
  /** Whether the membership is under enforcement of single sign-on. */
  readonly enforced: boolean;
}

/** What the holder of an invitation's token can find and accept, in any tenant. */
@Injectable()
export class AcceptedOffersRepository {
  /** @returns null for an invalid token */
  find(reader: Reader, tokenHash: string): Promise<FoundOffer | null> {
    return reader.one<FoundOffer>(FIND, [tokenHash]);
  }

  async consume(tx: Tx, tokenHash: string): Promise<AcceptedOffer | null> {
    await tx.query(LOCK_ROLE, [tokenHash]);
    return tx.one<AcceptedOffer>(CONSUME, [tokenHash]);
  }

  /** The invitation to the provider's organisation, if the author of the provider's trust may give what it offers. */
  async consumeByProvider(tx: Tx, providerId: string, email: string): Promise<AcceptedOffer | null> {
    await tx.query(LOCK_ROLE_OF_ORGANIZATION, [providerId, email]);
    return tx.one<AcceptedOffer>(CONSUME_OF_ORGANIZATION, [providerId, email]);
  }

  /**
   * Also accepts other invitations from the same tenant or the same author. That author could add an existing user to
   * those tenants without sending another invitation.
   * @returns the memberships that they bring
   */
  acceptRelated(
    tx: Tx,
    userId: string,
    { email, partnerId, authorId }: Pick<AcceptedOffer, 'email' | 'partnerId' | 'authorId'>,
  ): Promise<GrantedPlacement[]> {
    return tx.query<GrantedPlacement>(ACCEPT_RELATED, [email, userId, partnerId, authorId]);
  }
}
