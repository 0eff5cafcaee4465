import type { Tx } from '@gatehouse/database';
import { VapidKeyEntity } from './vapid-key.entity.ts';

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
