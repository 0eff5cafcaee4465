import type { ContactRole } from '@gatehouse/contracts-tenancy';
import { FoldedColumn } from '@gatehouse/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person to reach at an organisation or at one of its sites. */
@Entity('contacts')
export class ContactEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  /** Null: a contact of the whole organisation. */
  @Column('uuid', { nullable: true }) siteId!: string | null;
  @Column('varchar', { nullable: true }) name!: string | null;
  @Column('varchar', { nullable: true }) email!: string | null;
  @Column('varchar', { nullable: true }) phone!: string | null;
  @Column('varchar', { nullable: true }) mobile!: string | null;
  @Column('varchar', { nullable: true }) title!: string | null;
  @Column('text', { array: true, default: () => "'{}'::text[]" }) roles!: ContactRole[];
  /** At most one for the organisation itself and one for each site (TEN-22). */
  @Column('boolean', { default: () => 'false' }) isPrimary!: boolean;
  @Column('varchar', { nullable: true }) notes!: string | null;
  /** The system that the contact was imported from, with its id there. */
  @Column('varchar', { nullable: true }) externalSystem!: string | null;
  @Column('varchar', { nullable: true }) externalId!: string | null;
  @Column('bigint', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
  /** The form in which names are compared (TEN-100). */
  @FoldedColumn('name') foldedName?: string | null;
}
