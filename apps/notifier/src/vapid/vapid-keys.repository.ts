import type { Tx } from '@gatehouse/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The one key pair that identifies this deployment to push services. */
@Entity('vapid_keys')
export class VapidKeyEntity {
  /** Always true: as the primary key it keeps the table at one row. */
  @PrimaryColumn('boolean', { default: () => 'true' }) sole!: boolean;
  @Column('text') publicKey!: string;
  @Column('text') sealedPrivateKey!: string;
}

const KEEP = 'INSERT INTO vapid_keys (public_key, sealed_private_key) VALUES ($1, $2) ON CONFLICT DO NOTHING';

export class VapidKeysRepository {
  find(tx: Tx): Promise<VapidKeyEntity | null> {
    return tx.manager.findOneBy(VapidKeyEntity, { sole: true });
  }

  /** Keeps the pair unless another replica was first. */
  async keep(tx: Tx, { publicKey, sealedPrivateKey }: Omit<VapidKeyEntity, 'sole'>): Promise<void> {
    await tx.query(KEEP, [publicKey, sealedPrivateKey]);
  }
}
