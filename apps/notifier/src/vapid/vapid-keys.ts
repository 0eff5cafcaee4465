import { asService } from '@gatehouse/contracts-core';
import { KeyRing } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import webPush from 'web-push';

/** The context has no id, because there is only one key pair. */
export const vapidContext = (): string => 'vapid:private_key';
const FIND = 'SELECT public_key, sealed_private_key FROM vapid_keys';
const KEEP = 'INSERT INTO vapid_keys (public_key, sealed_private_key) VALUES ($1, $2) ON CONFLICT DO NOTHING';

interface Stored {
  readonly publicKey: string;
  readonly sealedPrivateKey: string;
}

export interface VapidPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

/**
 * The key pair that identifies this deployment to push services (RFC 8292): created once and shared by all replicas.
 */
@Injectable()
export class VapidKeys {
  private known: Promise<VapidPair> | null = null;

  constructor(
    private readonly work: UnitOfWork,
    private readonly keys: KeyRing,
  ) {}

  current(): Promise<VapidPair> {
    this.known ??= this.load().catch((error: unknown) => {
      this.known = null;
      throw error;
    });
    return this.known;
  }

  private load(): Promise<VapidPair> {
    return this.work.background(asService('notifier'), async (tx) => {
      const fresh = webPush.generateVAPIDKeys();
      if (!(await tx.one<Stored>(FIND)))
        await tx.query(KEEP, [fresh.publicKey, this.keys.seal(fresh.privateKey, vapidContext())]);
      const stored = await tx.one<Stored>(FIND);
      if (!stored) throw new Error('the VAPID keys could not be kept');
      return { publicKey: stored.publicKey, privateKey: this.keys.open(stored.sealedPrivateKey, vapidContext()) };
    });
  }
}
