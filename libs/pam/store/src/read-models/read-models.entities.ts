import type { DeviceStatus } from '@gatehouse/contracts-tenancy';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A device group as tenancy last published it. */
@Entity('group_ref')
export class GroupRefEntity {
  @PrimaryColumn('uuid') groupId!: string;
  @Column('uuid') orgId!: string;
  @Column('uuid') partnerId!: string;
  @Column('text') name!: string;
  @Column('boolean') deleted!: boolean;
  @Column('bigint') version!: number;
}

/** A device as tenancy last published it. */
@Entity('device_ref')
export class DeviceRefEntity {
  @PrimaryColumn('uuid') deviceId!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('uuid') siteId!: string;
  @Column('uuid', { array: true }) groupIds!: string[];
  @Column('text') hostname!: string;
  @Column({ type: 'text', generatedType: 'STORED', asExpression: 'lower(hostname)' }) foldedHostname!: string;
  @Column('text') status!: DeviceStatus;
  /** SHA-256 in hexadecimal digits. */
  @Column('text', { nullable: true }) agentTokenHash!: string | null;
  /** The token that the agent has replaced; works until `previousTokenUntil`. */
  @Column('text', { nullable: true }) previousTokenHash!: string | null;
  @Column('timestamptz', { nullable: true }) previousTokenUntil!: Date | null;
  /** The version of the agent protocol that the agent states. */
  @Column('integer', { default: () => '1' }) agentProtocol!: number;
  /** Who moved it or changed its groups within 30 days, each with their last time. */
  @Column('jsonb', { default: () => "'[]'::jsonb" }) edits!: { userId: string; at: string }[];
  /** The sites and groups that devices of its name had when it was enrolled (PAM-372). */
  @Column('uuid', { array: true, default: () => "'{}'::uuid[]" }) formerPlaces!: string[];
  @Column('boolean') deleted!: boolean;
  @Column('bigint') version!: number;
}

/** A user who may decide requests, as identity last published them. */
@Entity('technician_ref')
export class TechnicianRefEntity {
  @PrimaryColumn('uuid') userId!: string;
  @Column('text') name!: string;
  @Column('text') email!: string;
  @Column('boolean') active!: boolean;
  @Column('bigint') version!: number;
}

/** One membership of a technician, with its reach and permissions. */
@Entity('technician_reach')
export class TechnicianReachEntity {
  @PrimaryColumn('uuid') userId!: string;
  @PrimaryColumn('integer') position!: number;
  @Column('text') level!: 'system' | 'partner' | 'organization';
  @Column('uuid', { nullable: true }) partnerId!: string | null;
  @Column('boolean') allOrgs!: boolean;
  @Column('uuid', { array: true }) orgIds!: string[];
  /** Empty for every site. */
  @Column('uuid', { array: true }) siteIds!: string[];
  @Column('text', { array: true }) permissions!: string[];
}

/** The number of a user's push subscriptions. */
@Entity('push_reach')
export class PushReachEntity {
  @PrimaryColumn('uuid') userId!: string;
  @Column('integer') subscriptions!: number;
  @Column('bigint') version!: number;
}
