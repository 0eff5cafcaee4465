import type { Permission } from '@gatehouse/contracts-core';
import type { RoleAxis } from '@gatehouse/contracts-identity';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A named list of permissions, of the product, of a partner or of an organisation. */
@Entity('roles')
export class RoleEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { nullable: true }) partnerId!: string | null;
  @Column('uuid', { nullable: true }) orgId!: string | null;
  @Column('text') name!: string;
  /** The kind of membership that it is for. */
  @Column('text') axis!: RoleAxis;
  @Column('text', { array: true }) permissions!: Permission[];
  /** A role of the product, which cannot be changed. */
  @Column('boolean', { default: () => 'false' }) system!: boolean;
  /** Counts the changes. */
  @Column('integer', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
