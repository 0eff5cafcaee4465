import type { AccessLevel } from '@gatehouse/contracts-core';
import type { OrgAccess } from '@gatehouse/contracts-identity';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A user's place in one tenant, with a role and a reach. */
@Entity('memberships')
export class MembershipEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') userId!: string;
  @Column('text') level!: AccessLevel;
  @Column('uuid', { nullable: true }) partnerId!: string | null;
  @Column('uuid', { nullable: true }) orgId!: string | null;
  @Column('uuid') roleId!: string;
  /** The organisations that a membership of a partner gives access to. */
  @Column('text', { default: () => "'all'::text" }) orgAccess!: OrgAccess;
  /** The organisations in reach when `orgAccess` is `selected`. */
  @Column('uuid', { array: true, default: () => "'{}'::uuid[]" }) orgIds!: string[];
  /** The sites in reach of a membership of an organisation; empty for all. */
  @Column('uuid', { array: true, default: () => "'{}'::uuid[]" }) siteIds!: string[];
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
  @Column('boolean', { default: () => 'false' }) suspended!: boolean;
}
