import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A partner's branding of the login page. */
@Entity('login_branding')
export class LoginBrandingEntity {
  @PrimaryColumn('uuid') partnerId!: string;
  /** An https address, or an image as a data URI. */
  @Column('text', { nullable: true }) logoUrl!: string | null;
  /** A colour as `#rrggbb`. */
  @Column({ type: 'char', nullable: true }) accentColor!: string | null;
  @Column('varchar', { nullable: true }) headline!: string | null;
  /** Counts the changes. */
  @Column('integer', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
