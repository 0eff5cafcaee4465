import { asService } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { type Logger, LOGGER, Periodic } from '@gatehouse/service';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { announceReach, nextReach } from '../push-subscriptions/announce-reach.ts';
import { DeliveriesRepository } from './deliveries.repository.ts';
import type { Delivery, Outcome } from './delivery.ts';
import { SendPush } from './send-push.ts';

/** As many as may go to one host at once: a push service that all browsers share refuses none of them. */
const SLOTS = 64;
const POLL_MS = 250;
const EXPIRY_MS = 60 * 1000;
const CLEANING_MS = 60 * 60 * 1000;
const notifier = asService('notifier');

/**
 * Takes due deliveries into its free slots, sends them outside any transaction, and notes what became of each; safe with many
 * replicas. It waits for none of them to take the next: an endpoint that hangs costs its slot, and each person has but a few.
 */
@Injectable()
export class DeliverPushes implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly polling: Periodic;
  private readonly expiry: Periodic;
  private readonly cleaning: Periodic;
  private readonly underWay = new Map<Delivery, Promise<void>>();
  private after: string | undefined;

  constructor(
    private readonly work: UnitOfWork,
    private readonly deliveries: DeliveriesRepository,
    private readonly sender: SendPush,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    this.polling = new Periodic('deliver pushes', POLL_MS, () => this.deliverDue(), log);
    this.expiry = new Periodic('forget expired deliveries', EXPIRY_MS, () => this.forgetExpired(), log);
    this.cleaning = new Periodic('forget old deliveries', CLEANING_MS, () => this.work.run(notifier, (tx) => this.deliveries.forgetOld(tx)), log);
  }

  onApplicationBootstrap(): void {
    this.polling.start();
    this.expiry.start();
    this.cleaning.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.polling.stop(), this.expiry.stop(), this.cleaning.stop()]);
    await Promise.all(this.underWay.values());
  }

  private async deliverDue(): Promise<void> {
    const free = SLOTS - this.underWay.size;
    if (free === 0) return;
    const busy = [...this.underWay.keys()].map(({ userId }) => userId);
    const { deliveries, next } = await this.work.run(notifier, (tx) => this.deliveries.claim(tx, { limit: free, busy, after: this.after }));
    this.after = next;
    for (const delivery of deliveries) this.start(delivery);
  }

  /** In transactions that hold no more than a batch. */
  async forgetExpired(): Promise<void> {
    while (await this.work.run(notifier, (tx) => this.deliveries.forgetExpired(tx)));
  }

  private start(delivery: Delivery): void {
    this.underWay.set(delivery, this.deliver(delivery)
      .catch((error: unknown) => this.log.warn({ err: error, deliveryId: delivery.id }, 'what became of a push could not be noted; its claim ends by itself'))
      .finally(() => this.underWay.delete(delivery)));
  }

  private async deliver(delivery: Delivery): Promise<void> {
    const { outcome, reason } = await this.sender.send(delivery).then(
      (sent: Outcome) => ({ outcome: sent, reason: 'the endpoint answered with an error' }),
      (error: unknown) => ({ outcome: 'failed' as const, reason: error instanceof Error ? error.message : String(error) }),
    );
    await this.work.run(notifier, async (tx) => {
      if (outcome === 'delivered') return this.deliveries.markDelivered(tx, delivery.id);
      if (outcome === 'failed') return this.deliveries.postpone(tx, delivery, reason);
      if (outcome === 'refused') return this.deliveries.giveUp(tx, delivery, reason);
      const version = await nextReach(tx, delivery.userId);
      if (!(await this.deliveries.dropSubscription(tx, delivery))) return;
      await announceReach(tx, delivery.userId, version);
      tx.audit({ action: 'push_subscription.delete', resource: { type: 'push_subscription', id: delivery.subscriptionId }, details: { reason: 'the endpoint is gone' } });
    });
    if (outcome === 'failed') this.log.info({ deliveryId: delivery.id, attempts: delivery.attempts, reason }, 'a push was not delivered yet');
  }
}
