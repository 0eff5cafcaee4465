import type { Permission } from '@gatehouse/contracts-core';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An API key. It carries a part of the permissions of the membership in which it was created. */
@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') userId!: string;
  @Column('uuid') membershipId!: string;
  @Column('uuid', { nullable: true }) partnerId!: string | null;
  @Column('uuid', { nullable: true }) orgId!: string | null;
  /** The provider and the link by which the session was opened that made the key: it stands and falls with them. */
  @Column('uuid', { nullable: true }) providerId!: string | null;
  @Column('uuid', { nullable: true }) linkId!: string | null;
  @Column('text') name!: string;
  @Column('text') keyHash!: string;
  /** The beginning of the key, by which its user recognises it. */
  @Column('text') hint!: string;
  @Column('text', { array: true }) permissions!: Permission[];
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
  @Column('timestamptz', { nullable: true }) lastUsedAt!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
