import { FoldedColumn } from '@gatehouse/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A location of an organisation. */
@Entity('sites')
export class SiteEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('varchar') name!: string;
  @Column('varchar', { default: () => "'UTC'::character varying" }) timezone!: string;
  @Column('jsonb', { nullable: true }) address!: object | null;
  @Column('jsonb', { nullable: true }) contact!: object | null;
  @Column('jsonb', { default: () => "'{}'::jsonb" }) settings!: object;
  /** The site for devices that name none; created on first use, at most one for each organisation. */
  @Column('boolean', { default: () => 'false' }) isDefault!: boolean;
  @Column('bigint', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
  /** The form in which names are compared (TEN-100). */
  @FoldedColumn('name') foldedName?: string;
}

/**
 * A place from which rows may refer to a site: its organisation, and during a merge also the merged one, so that "site
 * of the same organisation" stays a foreign key while rows move in batches.
 */
@Entity('site_placements')
export class SitePlacementEntity {
  @PrimaryColumn('uuid') siteId!: string;
  @PrimaryColumn('uuid') orgId!: string;
  @Column('uuid') partnerId!: string;
}
