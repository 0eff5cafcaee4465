import type { ElevationStatus, FlowType } from '@gatehouse/contracts-pam';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The number of requests of an organisation by flow and status. */
@Entity('elevation_counts')
export class ElevationCountEntity {
  @PrimaryColumn('uuid') partnerId!: string;
  @PrimaryColumn('uuid') orgId!: string;
  @PrimaryColumn('text') flowType!: FlowType;
  @PrimaryColumn('text') status!: ElevationStatus;
  @Column('bigint') count!: number;
}
