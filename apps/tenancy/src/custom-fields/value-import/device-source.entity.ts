import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The id of a device in another system, recorded at the first import so that the next one finds the same device. */
@Entity('device_sources')
export class DeviceSourceEntity {
  @Column('uuid') partnerId!: string;
  @PrimaryColumn('varchar') sourceSystem!: string;
  @PrimaryColumn('varchar') sourceDeviceId!: string;
  @Column('uuid') deviceId!: string;
  @PrimaryColumn('uuid') orgId!: string;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  /** Recorded by an import for the whole partner; such a record counts in every organisation. */
  @Column('boolean', { default: () => 'false' }) partnerWide!: boolean;
}
