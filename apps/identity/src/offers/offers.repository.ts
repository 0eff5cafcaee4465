import { ProblemError, type TenantScope } from '@gatehouse/contracts-core';
import type { InvitationRecord, UserRecord } from '@gatehouse/contracts-identity';
import { onConstraint, type Reader, scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { NewMembership } from '../memberships/join-tenant.ts';
import type { Placement } from '../grants/placement.ts';
import { MEMBERSHIP_OFFERED, OFFER_AS_PERSON, OPEN_OFFER } from './open-offers.ts';

const AS_INVITATION = `
  SELECT m.id, m.email, m.name, m.author_name AS invited_by, ${MEMBERSHIP_OFFERED} AS membership, m.created_at, m.expires_at
    FROM membership_offers m JOIN roles r ON r.id = m.role_id`;

const PLACE =
  'email = $1 AND level = $2 AND partner_id IS NOT DISTINCT FROM $3::uuid AND org_id IS NOT DISTINCT FROM $4::uuid';
const CLEAR_DEAD = `DELETE FROM membership_offers m WHERE ${PLACE} AND NOT (${OPEN_OFFER})`;
const AT_PLACE = `SELECT m.id FROM membership_offers m WHERE ${PLACE}`;
const ADD = `
  INSERT INTO membership_offers (email, level, partner_id, org_id, id, membership_id, token_hash, name, author_id, author_name, role_id, org_access, org_ids, site_ids, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, now() + interval '7 days')
  ON CONFLICT ON CONSTRAINT offer_unique DO UPDATE SET token_hash = $7, name = $8, author_id = $9, author_name = $10, role_id = $11, org_access = $12, org_ids = $13, site_ids = $14,
    expires_at = now() + interval '7 days', suspended = false, updated_at = now()
  RETURNING id`;
const CHANGE = `
  UPDATE membership_offers SET name = coalesce($2, name), suspended = coalesce($3, suspended), updated_at = now() WHERE id = $1`;
const MOVE = `
  UPDATE membership_offers SET author_id = $2, author_name = $3, level = $4, partner_id = $5, org_id = $6, role_id = $7, org_access = $8, org_ids = $9, site_ids = $10 WHERE id = $1`;
const invitedThere = onConstraint({
  offer_unique: () => new ProblemError('email_taken', 'This address is invited there already.'),
});

export interface Author {
  /** Null for the operator, whose invitations need no membership of their author. */
  readonly id: string | null;
  readonly name: string;
}

export interface NewOffer {
  readonly email: string;
  readonly name: string;
  readonly author: Author;
  readonly membership: NewMembership;
}

type Offered = Placement & { readonly roleId: string };

/** Invitations that have not been accepted. */
@Injectable()
export class OffersRepository {
  find(reader: Reader, scope: TenantScope, id: string): Promise<UserRecord | null> {
    const reach = scoped(scope, { partner: 'm.partner_id', org: 'm.org_id' }).add('m.id = ?::uuid', id).raw(OPEN_OFFER);
    return reader.one<UserRecord>(`${OFFER_AS_PERSON} ${reach.where}`, reach.parameters);
  }

  /** Reads an invitation that this transaction has just stored. */
  sent(tx: Tx, id: string): Promise<UserRecord | null> {
    return tx.one<UserRecord>(`${OFFER_AS_PERSON} WHERE m.id = $1`, [id]);
  }

  invitation(reader: Reader, scope: TenantScope, id: string): Promise<InvitationRecord | null> {
    const reach = scoped(scope, { partner: 'm.partner_id', org: 'm.org_id' }).add('m.id = ?::uuid', id).raw(OPEN_OFFER);
    return reader.one<InvitationRecord>(`${AS_INVITATION} ${reach.where}`, reach.parameters);
  }

  /** Deletes expired and unbacked invitations for this membership, then finds the open one for the address. */
  async at(tx: Tx, email: string, { level, partnerId, orgId }: Placement): Promise<UserRecord | null> {
    await tx.query(CLEAR_DEAD, [email, level, partnerId, orgId]);
    const there = await tx.one<{ id: string }>(AT_PLACE, [email, level, partnerId, orgId]);
    return there && this.sent(tx, there.id);
  }

  /** Stores an invitation, or renews the existing one for the same membership. @returns its id */
  async save(tx: Tx, id: string, tokenHash: string, { email, name, author, membership }: NewOffer): Promise<string> {
    const { level, partnerId, orgId, roleId, orgAccess, orgIds, siteIds } = membership;
    const row = await tx.one<{ id: string }>(ADD, [
      email,
      level,
      partnerId,
      orgId,
      id,
      membership.id,
      tokenHash,
      name,
      author.id,
      author.name,
      roleId,
      orgAccess,
      orgIds,
      siteIds,
    ]);
    return row?.id ?? id;
  }

  async change(
    tx: Tx,
    id: string,
    { name = null, suspended = null }: { name?: string | null; suspended?: boolean | null },
  ): Promise<void> {
    await tx.query(CHANGE, [id, name, suspended]);
  }

  /** Changes the offered membership; the caller becomes the invitation's author. @throws ProblemError email_taken */
  async move(
    tx: Tx,
    id: string,
    author: Author,
    { level, partnerId, orgId, roleId, orgAccess, orgIds, siteIds }: Offered,
  ): Promise<void> {
    await tx
      .query(MOVE, [id, author.id, author.name, level, partnerId, orgId, roleId, orgAccess, orgIds, siteIds])
      .catch(invitedThere);
  }

  /** @returns whether the invitation existed */
  async delete(tx: Tx, id: string): Promise<boolean> {
    return (await tx.one('DELETE FROM membership_offers WHERE id = $1 RETURNING id', [id])) !== null;
  }
}

/**
 * Withdraws the invitations that these authors could no longer send. Call it in each unit of work that removes rights
 * from them.
 */
export async function withdrawUnbackedOffers(tx: Tx, authorIds: readonly string[]): Promise<void> {
  await tx.query('SELECT withdraw_unbacked_offers($1::uuid[])', [authorIds]);
}
