import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * When an agent was last seen after its enrolment. A table of its own, so that a sign of life makes no new version of
 * the device and waits for no lock on it.
 */
@Entity('device_presence')
export class DevicePresenceEntity {
  @PrimaryColumn('uuid') deviceId!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('timestamptz') lastSeenAt!: Date;
}
