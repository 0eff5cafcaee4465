import { asService } from '@gatehouse/contracts-core';
import { KeyRing } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import webPush from 'web-push';
import { VapidKeysRepository } from './vapid-keys.repository.ts';

/** The context has no id, because there is only one key pair. */
export const vapidContext = (): string => 'vapid:private_key';

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
    private readonly repository: VapidKeysRepository,
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
      if (!(await this.repository.find(tx)))
        await this.repository.keep(tx, {
          publicKey: fresh.publicKey,
          sealedPrivateKey: this.keys.seal(fresh.privateKey, vapidContext()),
        });
      const stored = await this.repository.find(tx);
      if (!stored) throw new Error('the VAPID keys could not be kept');
      return { publicKey: stored.publicKey, privateKey: this.keys.open(stored.sealedPrivateKey, vapidContext()) };
    });
  }
}
