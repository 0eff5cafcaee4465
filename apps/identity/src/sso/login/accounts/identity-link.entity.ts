import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The record that an identity at a provider belongs to a user. */
@Entity('sso_identity_links')
export class IdentityLinkEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') userId!: string;
  @Column('uuid') providerId!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid', { nullable: true }) orgId!: string | null;
  /** The subject at the provider. */
  @Column('varchar') externalId!: string;
  /** The address as the provider last sent it. */
  @Column('varchar') email!: string;
  @Column('text') profileSealed!: string;
  @Column('text', { nullable: true }) accessTokenSealed!: string | null;
  @Column('text', { nullable: true }) refreshTokenSealed!: string | null;
  @Column('timestamptz', { nullable: true }) tokenExpiresAt!: Date | null;
  @Column('timestamptz', { nullable: true }) lastLoginAt!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
  /** The subject in lower case, for links that were made before the letter case of addresses was ignored. */
  @Column('varchar', { nullable: true }) earlierEmailSubject!: string | null;
  /** True when the user proved the account for this link. */
  @Column('boolean', { default: () => 'false' }) selfLinked!: boolean;
}
