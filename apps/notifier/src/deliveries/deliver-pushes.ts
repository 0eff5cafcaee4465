import { asService } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { type Logger, LOGGER, Every } from '@gatehouse/service';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { PushSubscriptionsRepository } from '../push-subscriptions/push-subscriptions.repository.ts';
import { BEGINNING, DeliveriesRepository } from './deliveries.repository.ts';
import type { Delivery, Outcome } from './delivery.ts';
import { SendPush } from './send-push.ts';

/**
 * The limit of deliveries at once; also the limit for one host, so that a push service shared by all browsers rejects
 * none.
 */
const SLOTS = 64;
const POLL_MS = 250;
/**
 * Pause between two claims: slots become free one by one, and a claim for each would cost more than sending the
 * pushes.
 */
const GATHER_MS = 25;
const EXPIRY_MS = 60 * 1000;
const CLEANING_MS = 60 * 60 * 1000;
const notifier = asService('notifier');
/** Each outcome is stored in an autocommit statement, so that claims do not wait for a connection. */
const NOTE = { delivered: 'markDelivered', failed: 'postpone', refused: 'giveUp' } as const satisfies Partial<
  Record<Outcome, keyof DeliveriesRepository>
>;

/**
 * Claims due deliveries for its free slots, sends them outside any transaction and stores each outcome; several
 * replicas may run concurrently. It claims more before earlier deliveries have finished: an endpoint that hangs
 * occupies only its slot, and each user has only a few. While more is due than one claim takes, the next claim
 * follows as soon as a slot is free.
 */
@Injectable()
export class DeliverPushes implements OnApplicationShutdown {
  private readonly underWay = new Map<Delivery, Promise<void>>();
  private after = BEGINNING;
  private slotIsFree: () => void = () => undefined;

  constructor(
    private readonly work: UnitOfWork,
    private readonly deliveries: DeliveriesRepository,
    private readonly subscriptions: PushSubscriptionsRepository,
    private readonly sender: SendPush,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Waits for the deliveries under way; no new ones begin, because periodic tasks have stopped before. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.underWay.values());
  }

  @Every(CLEANING_MS, 'forget old deliveries')
  async forgetOld(): Promise<void> {
    await this.work.background(notifier, (tx) => this.deliveries.forgetOld(tx));
  }

  @Every(POLL_MS, 'deliver pushes')
  async deliverDue(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted && (await this.takeTurn())) await this.untilRoom(stopping);
  }

  /** @returns whether there may be more due deliveries to claim */
  private async takeTurn(): Promise<boolean> {
    const limit = SLOTS - this.underWay.size;
    if (limit === 0) return true;
    const { deliveries, next, more } = await this.work.background(notifier, (tx) =>
      this.deliveries.claim(tx, { limit, busy: [...this.underWay.keys()], after: this.after }),
    );
    this.after = next;
    for (const delivery of deliveries) this.start(delivery);
    return more && deliveries.length > 0;
  }

  private async untilRoom(stopping: AbortSignal): Promise<void> {
    await wait(GATHER_MS);
    if (this.underWay.size < SLOTS || stopping.aborted) return;
    await new Promise<void>((resolve) => {
      this.slotIsFree = resolve;
      stopping.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Deletes expired deliveries in transactions of one batch each. */
  @Every(EXPIRY_MS, 'forget expired deliveries')
  async forgetExpired(): Promise<void> {
    while (await this.work.background(notifier, (tx) => this.deliveries.forgetExpired(tx)));
  }

  private start(delivery: Delivery): void {
    this.underWay.set(
      delivery,
      this.deliver(delivery)
        .catch((error: unknown) =>
          this.log.warn(
            { err: error, deliveryId: delivery.id },
            'what became of a push could not be noted; its claim ends by itself',
          ),
        )
        .finally(() => this.leave(delivery)),
    );
  }

  private leave(delivery: Delivery): void {
    this.underWay.delete(delivery);
    this.slotIsFree();
  }

  private async deliver(delivery: Delivery): Promise<void> {
    const attempt = await this.sender.attempt(delivery);
    const { outcome, reason } = attempt;
    if (outcome === 'gone') await this.work.background(notifier, (tx) => this.subscriptions.end(tx, delivery));
    else
      await this.work.autocommit(notifier, (statement) => this.deliveries[NOTE[outcome]](statement, delivery, attempt));
    if (outcome === 'failed')
      this.log.info({ deliveryId: delivery.id, attempts: delivery.attempts, reason }, 'a push was not delivered yet');
  }
}
