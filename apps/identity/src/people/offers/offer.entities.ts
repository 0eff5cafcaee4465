import type { AccessLevel } from '@gatehouse/contracts-core';
import type { OrgAccess } from '@gatehouse/contracts-identity';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An invitation: the offer of a membership to a mail address. */
@Entity('membership_offers')
export class MembershipOfferEntity {
  @PrimaryColumn('uuid') id!: string;
  /** The id that the membership gets when it is accepted. */
  @Column('uuid') membershipId!: string;
  @Column('text') tokenHash!: string;
  @Column('text') email!: string;
  @Column('text') name!: string;
  /** Null for the operator, whose invitations need no membership of their author. */
  @Column('uuid', { nullable: true }) authorId!: string | null;
  @Column('text') authorName!: string;
  @Column('text') level!: AccessLevel;
  @Column('uuid', { nullable: true }) partnerId!: string | null;
  @Column('uuid', { nullable: true }) orgId!: string | null;
  @Column('uuid') roleId!: string;
  @Column('text') orgAccess!: OrgAccess;
  @Column('uuid', { array: true }) orgIds!: string[];
  @Column('uuid', { array: true }) siteIds!: string[];
  @Column('boolean', { default: () => 'false' }) suspended!: boolean;
  /** The provider and the link by which the session was opened that sent it: it stands and falls with them. */
  @Column('uuid', { nullable: true }) providerId!: string | null;
  @Column('uuid', { nullable: true }) linkId!: string | null;
  /** When it was accepted together with another invitation; its own link still signs its user in. */
  @Column('timestamptz', { nullable: true }) takenAt!: Date | null;
  @Column('timestamptz') expiresAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}

/** An invitation mail that was sent, for the limit of mails to one address. */
@Entity('invitation_mails')
export class InvitationMailEntity {
  @PrimaryColumn('uuid', { default: () => 'gen_random_uuid()' }) id!: string;
  /** Null for invitations of the system. */
  @Column('uuid', { nullable: true }) partnerId!: string | null;
  @Column('text') email!: string;
  @Column('timestamptz', { default: () => 'now()' }) sentAt!: Date;
}
