import type { DeviceStatus } from '@gatehouse/contracts-tenancy';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The number of devices of each site and status. Triggers insert the differences that a statement makes into
 * `device_count_deltas`, a table of the same columns without a key.
 */
@Entity('device_counts')
export class DeviceCountEntity {
  @PrimaryColumn('uuid') partnerId!: string;
  @PrimaryColumn('uuid') orgId!: string;
  @PrimaryColumn('uuid') siteId!: string;
  @PrimaryColumn('text') status!: DeviceStatus;
  @Column('bigint') count!: number;
}
