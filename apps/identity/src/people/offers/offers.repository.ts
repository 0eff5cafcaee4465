import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { InvitationRecord, UserRecord } from '@gatehouse/contracts-identity';
import { type Conditions, onConstraint, type Reader, scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { GrantedPlacement, NewMembership, Placement } from '../grants/placement.ts';
import { MembershipOfferEntity } from './offer.entities.ts';

export const invitationNotFound = (): ProblemError =>
  new ProblemError('invitation_not_found', 'There is no such open invitation.');

/** Open: not expired, not accepted together with another invitation, and its author could still send it. */
export const OPEN_OFFER = 'm.expires_at > now() AND m.taken_at IS NULL AND is_offer_backed(m.id)';
const MEMBERSHIP_OFFERED = `jsonb_build_object('id', m.membership_id, 'scope', m.level, 'partnerId', m.partner_id,
  'orgId', m.org_id, 'roleId', m.role_id, 'roleName', r.name,
  'orgAccess', m.org_access, 'orgIds', to_jsonb(m.org_ids), 'siteIds', to_jsonb(m.site_ids))`;
/** An invitation in the columns of a user; the same whether or not the address has an account elsewhere. */
export const OFFER_AS_USER = `
  SELECT m.id, m.email, m.name, CASE WHEN m.suspended THEN 'suspended' ELSE 'invited'
    END AS status, false AS break_glass, NULL::timestamptz AS last_login_at, m.created_at, m.updated_at,
    0::bigint AS version, false AS mfa_enrolled, m.expires_at AS invitation_expires_at,
    jsonb_build_array(${MEMBERSHIP_OFFERED}) AS memberships
    FROM membership_offers m JOIN roles r ON r.id = m.role_id`;

/** An author who reaches a part of the partner may offer that part, and goes on seeing what they offer. */
export const reachOrOwn = (reach: Conditions, { level, userId }: UserCaller): string =>
  level === 'partner' ? `(true${reach.and} OR m.author_id = ${reach.bind(userId)}::uuid)` : `true${reach.and}`;

const SELECT_INVITATION = `
  SELECT m.id, m.email, m.name, m.author_name AS invited_by, ${MEMBERSHIP_OFFERED} AS membership, m.created_at,
    m.expires_at
    FROM membership_offers m JOIN roles r ON r.id = m.role_id`;
const WITHDRAWN =
  'm.id, m.email, m.author_name, m.partner_id, m.org_id, m.level, m.role_id, m.org_access, m.org_ids, m.site_ids';
const WAS_OPEN = 'm.expires_at > now() AND m.taken_at IS NULL AS was_open';

const AT_PLACE =
  'email = $1 AND level = $2 AND partner_id IS NOT DISTINCT FROM $3::uuid AND org_id IS NOT DISTINCT FROM $4::uuid';
const DELETE_DEAD_AT_PLACE = `
  DELETE FROM membership_offers m WHERE ${AT_PLACE} AND NOT (${OPEN_OFFER}) RETURNING ${WITHDRAWN}, ${WAS_OPEN}`;
const DELETE_DEAD_OF_ROLE = `
  DELETE FROM membership_offers m WHERE m.role_id = $1 AND NOT (${OPEN_OFFER}) RETURNING ${WITHDRAWN}, ${WAS_OPEN}`;
const DELETE_OF_PROVIDER = `
  DELETE FROM membership_offers m WHERE m.provider_id = $1 AND ($2::uuid IS NULL OR m.author_id = $2)
  RETURNING ${WITHDRAWN}, m.expires_at > now() AND m.taken_at IS NULL AS was_open`;
const DELETE_UNBACKED = `SELECT ${WITHDRAWN}, m.was_open FROM withdraw_offers_of($1::uuid[]) m`;
const REVOKE_LINKS_OF_AUTHORS = 'SELECT l.* FROM revoke_setup_links_of($1::uuid[]) l';
const REVOKE_LINKS_OF_PROVIDER = `UPDATE sso_setup_links l SET revoked_at = now()
  WHERE root_provider_id = $1 AND ($2::uuid IS NULL OR created_by = $2) AND completed_at IS NULL AND revoked_at IS NULL
    AND expires_at > now() RETURNING l.*`;
const FIND_AT_PLACE = `SELECT m.id FROM membership_offers m WHERE ${AT_PLACE}`;
const UPSERT = `
  INSERT INTO membership_offers (email, level, partner_id, org_id, id, membership_id, token_hash, name, author_id,
    author_name, role_id, org_access, org_ids, site_ids, provider_id, link_id, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, now() + interval '7 days')
  ON CONFLICT ON CONSTRAINT offer_unique DO UPDATE
    SET token_hash = $7, name = $8, author_id = $9, author_name = $10, role_id = $11, org_access = $12, org_ids = $13,
    site_ids = $14, provider_id = $15, link_id = $16, expires_at = now() + interval '7 days', suspended = false,
    updated_at = now()
  RETURNING id`;
const RENEW = `
  UPDATE membership_offers m SET token_hash = $2, author_id = $3, author_name = $4, provider_id = $5, link_id = $6,
    expires_at = now() + interval '7 days', updated_at = now()
   WHERE m.id = $1 AND NOT m.suspended AND ${OPEN_OFFER} RETURNING id`;
const UPDATE = `
  UPDATE membership_offers SET name = coalesce($2, name), suspended = coalesce($3, suspended), updated_at = now()
    WHERE id = $1`;
const MOVE_TO_SURVIVOR = `
  UPDATE membership_offers t SET org_id = $2 WHERE t.org_id = $1
    AND NOT EXISTS (SELECT FROM membership_offers o WHERE o.org_id = $2 AND o.email = t.email)`;
const alreadyInvited = onConstraint({
  offer_unique: () => new ProblemError('email_taken', 'This address has already been invited.'),
});

export interface Author {
  /** Null for the operator, whose invitations need no membership of their author. */
  readonly id: string | null;
  readonly name: string;
  /** What an identity provider's session of the author stands on; absent for other authors. */
  readonly root?: { readonly providerId: string | null; readonly linkId: string | null };
}

const rootOf = ({ root }: Author) => [root?.providerId ?? null, root?.linkId ?? null] as const;

export interface NewOffer {
  readonly email: string;
  readonly name: string;
  readonly author: Author;
  readonly membership: NewMembership;
}

/** What names a set-up link in the audit log. */
export interface NamedLink {
  readonly id: string;
  readonly recipientEmail: string | null;
  readonly partnerId: string;
  readonly orgId: string | null;
}

/** An invitation that was deleted because it could not be accepted. */
export interface DeletedOffer extends GrantedPlacement {
  readonly id: string;
  readonly email: string;
  readonly authorName: string;
  /** False when it had expired or was accepted together with another one. */
  readonly wasOpen: boolean;
}

/** Invitations that have not been accepted. */
@Injectable()
export class OffersRepository {
  find(reader: Reader, caller: UserCaller, id: string): Promise<UserRecord | null> {
    return this.findAs<UserRecord>(reader, caller, { id, select: OFFER_AS_USER });
  }

  /** Reads an invitation that this transaction has just stored. */
  findSent(tx: Tx, id: string): Promise<UserRecord | null> {
    return tx.one<UserRecord>(`${OFFER_AS_USER} WHERE m.id = $1`, [id]);
  }

  findInvitation(reader: Reader, caller: UserCaller, id: string): Promise<InvitationRecord | null> {
    return this.findAs<InvitationRecord>(reader, caller, { id, select: SELECT_INVITATION });
  }

  private findAs<T extends object>(
    reader: Reader,
    caller: UserCaller,
    { id, select }: { readonly id: string; readonly select: string },
  ): Promise<T | null> {
    const reach = scoped(caller.scope, { partner: 'm.partner_id', org: 'm.org_id' });
    const where = `${reachOrOwn(reach, caller)} AND m.id = ${reach.bind(id)}::uuid AND ${OPEN_OFFER}`;
    return reader.one<T>(`${select} WHERE ${where}`, reach.parameters);
  }

  /** The open invitation of an address to a membership. Call it after {@link deleteDeadAt}. */
  async findAt(tx: Tx, email: string, { level, partnerId, orgId }: Placement): Promise<UserRecord | null> {
    const found = await tx.one<{ id: string }>(FIND_AT_PLACE, [email, level, partnerId, orgId]);
    return found && this.findSent(tx, found.id);
  }

  /** Stores an invitation, or renews the existing one for the same membership. @returns its id */
  async upsert(tx: Tx, id: string, tokenHash: string, { email, name, author, membership }: NewOffer): Promise<string> {
    const { level, partnerId, orgId, roleId, orgAccess, orgIds, siteIds } = membership;
    const place = [email, level, partnerId, orgId];
    const offer = [id, membership.id, tokenHash, name, author.id, author.name, roleId, orgAccess, orgIds, siteIds];
    return (await tx.one<{ id: string }>(UPSERT, [...place, ...offer, ...rootOf(author)]))?.id ?? id;
  }

  /**
   * Gives an invitation that is still open a new token and a new author.
   * @returns its id, or null when it is not open
   */
  async renew(tx: Tx, id: string, tokenHash: string, author: Author): Promise<string | null> {
    return (
      (await tx.one<{ id: string }>(RENEW, [id, tokenHash, author.id, author.name, ...rootOf(author)]))?.id ?? null
    );
  }

  async update(
    tx: Tx,
    id: string,
    { name = null, suspended = null }: { readonly name?: string | null; readonly suspended?: boolean | null },
  ): Promise<void> {
    await tx.query(UPDATE, [id, name, suspended]);
  }

  /** Changes the offered membership; the caller becomes the invitation's author. @throws ProblemError email_taken */
  async updatePlacement(tx: Tx, id: string, author: Author, placement: GrantedPlacement): Promise<void> {
    const { level, partnerId, orgId, roleId, orgAccess } = placement;
    const lists = { orgIds: [...placement.orgIds], siteIds: [...placement.siteIds] };
    const [providerId, linkId] = rootOf(author);
    const by = { authorId: author.id, authorName: author.name, providerId, linkId };
    const changes = { ...by, level, partnerId, orgId, roleId, orgAccess };
    await tx.manager.update(MembershipOfferEntity, { id }, { ...changes, ...lists }).catch(alreadyInvited);
  }

  /** @returns whether the invitation existed */
  async delete(tx: Tx, id: string): Promise<boolean> {
    return (await tx.manager.delete(MembershipOfferEntity, { id })).affected === 1;
  }

  /** Deletes invitations of an address to a membership that cannot be accepted any more. */
  deleteDeadAt(tx: Tx, email: string, { level, partnerId, orgId }: Placement): Promise<DeletedOffer[]> {
    return tx.query<DeletedOffer>(DELETE_DEAD_AT_PLACE, [email, level, partnerId, orgId]);
  }

  /** Deletes invitations with this role that cannot be accepted any more. */
  deleteDeadOfRole(tx: Tx, roleId: string): Promise<DeletedOffer[]> {
    return tx.query<DeletedOffer>(DELETE_DEAD_OF_ROLE, [roleId]);
  }

  /** Deletes the invitations that were sent in sessions of a provider, of one user or of all. */
  deleteOfProvider(tx: Tx, providerId: string, authorId: string | null): Promise<DeletedOffer[]> {
    return tx.query<DeletedOffer>(DELETE_OF_PROVIDER, [providerId, authorId]);
  }

  /** Deletes the invitations that these authors could no longer send, in all tenants. */
  deleteUnbacked(tx: Tx, authorIds: readonly string[]): Promise<DeletedOffer[]> {
    return tx.query<DeletedOffer>(DELETE_UNBACKED, [authorIds]);
  }

  /** Moves the invitations of a merged organisation to its survivor, except to addresses that are invited there. */
  async moveToSurvivor(tx: Tx, orgId: string, survivorId: string): Promise<void> {
    await tx.query(MOVE_TO_SURVIVOR, [orgId, survivorId]);
  }

  async deleteOfOrganization(tx: Tx, orgId: string): Promise<void> {
    await tx.manager.delete(MembershipOfferEntity, { orgId });
  }

  /** Revokes the open set-up links whose authors may not make them any more. @returns them */
  revokeLinksOfAuthors(tx: Tx, authorIds: readonly string[]): Promise<NamedLink[]> {
    return tx.query<NamedLink>(REVOKE_LINKS_OF_AUTHORS, [authorIds]);
  }

  /** Revokes the open set-up links that sessions of a provider made, of one author or of all. @returns them */
  revokeLinksOfProvider(tx: Tx, providerId: string, authorId: string | null): Promise<NamedLink[]> {
    return tx.query<NamedLink>(REVOKE_LINKS_OF_PROVIDER, [providerId, authorId]);
  }
}
