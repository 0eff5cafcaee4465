import type { OrganizationStatus, PartnerStatus } from '@gatehouse/contracts-tenancy';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What identity knows about a partner: a read model of tenancy's partners. */
@Entity('partner_ref')
export class PartnerRefEntity {
  @PrimaryColumn('uuid') partnerId!: string;
  @Column('text') name!: string;
  @Column('text') slug!: string;
  @Column('text') status!: PartnerStatus;
  @Column('boolean') deleted!: boolean;
  @Column('bigint') version!: number;
}

/** What identity knows about an organisation: a read model of tenancy's organisations. */
@Entity('org_ref')
export class OrgRefEntity {
  @PrimaryColumn('uuid') orgId!: string;
  @Column('uuid') partnerId!: string;
  @Column('text') name!: string;
  @Column('text') status!: OrganizationStatus;
  @Column('boolean') deleted!: boolean;
  /** The survivor of the merge that ended this organisation. */
  @Column('uuid', { nullable: true }) mergedIntoId!: string | null;
  @Column('bigint') version!: number;
}

/** What identity knows about a site: a read model of tenancy's sites. */
@Entity('site_ref')
export class SiteRefEntity {
  @PrimaryColumn('uuid') siteId!: string;
  @Column('uuid') orgId!: string;
  @Column('uuid') partnerId!: string;
  @Column('text') name!: string;
  @Column('boolean') deleted!: boolean;
  @Column('bigint') version!: number;
}
