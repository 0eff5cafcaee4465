import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The one key pair that identifies this deployment to push services. */
@Entity('vapid_keys')
export class VapidKeyEntity {
  /** Always true: as the primary key it keeps the table at one row. */
  @PrimaryColumn('boolean', { default: () => 'true' }) sole!: boolean;
  @Column('text') publicKey!: string;
  @Column('text') sealedPrivateKey!: string;
}
