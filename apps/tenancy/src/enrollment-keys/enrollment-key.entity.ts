import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A secret with which agents enrol into one organisation. */
@Entity('enrollment_keys')
export class EnrollmentKeyEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  /** The site of the enrolled devices; null for the organisation's default site. */
  @Column('uuid', { nullable: true }) siteId!: string | null;
  @Column('varchar') name!: string;
  /** SHA-256 of the secret, in hexadecimal. */
  @Column('varchar') key!: string;
  @Column('integer', { default: () => '0' }) usageCount!: number;
  @Column('integer', { nullable: true }) maxUsage!: number | null;
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
  /** Whether a machine without its token may return as its device, if an administrator confirms it. */
  @Column('boolean', { default: () => 'false' }) allowReenrollment!: boolean;
  /** The user who created the key. */
  @Column('uuid', { nullable: true }) createdBy!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
