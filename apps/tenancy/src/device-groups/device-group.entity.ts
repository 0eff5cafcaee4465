import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A named set of devices of one organisation. */
@Entity('device_groups')
export class DeviceGroupEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('varchar') name!: string;
  @Column('varchar', { nullable: true }) description!: string | null;
  @Column('bigint', { default: () => '1' }) version!: number;
  /** A level of the organisation's approval policy names it. */
  @Column('boolean', { default: () => 'false' }) ofLevel!: boolean;
  @Column('bigint', { default: () => '0' }) levelsVersion!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}

/** An organisation whose devices a group may have: its own, and during a merge also the merged one. */
@Entity('device_group_placements')
export class DeviceGroupPlacementEntity {
  @PrimaryColumn('uuid') groupId!: string;
  @PrimaryColumn('uuid') orgId!: string;
  @Column('uuid') partnerId!: string;
}

/** The membership of a device in a group. */
@Entity('device_group_members')
export class DeviceGroupMemberEntity {
  @PrimaryColumn('uuid') groupId!: string;
  @PrimaryColumn('uuid') deviceId!: string;
  @Column('uuid') orgId!: string;
  @Column('uuid') partnerId!: string;
}
