import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { RateLimiter } from '@gatehouse/rate-limit';
import { Injectable } from '@nestjs/common';
import { type PushSubscriptionResponse, viewOf } from '../push-subscriptions/push-subscription.dto.ts';
import {
  pushOwnerOf,
  type PushSubscription,
  PushSubscriptionsRepository,
} from '../push-subscriptions/push-subscriptions.repository.ts';
import type { Push } from './delivery.ts';
import { SendPush } from './send-push.ts';

const TITLE = 'This is a test of your notifications';

const LIFETIME_MS = 60_000;

const notFound = (): ProblemError => new ProblemError('push_subscription_not_found', 'There is no such subscription.');

const testOf = ({ id, kind, endpoint, sealedKeys }: PushSubscription): Push => ({
  subscriptionId: id,
  kind,
  endpoint,
  sealedKeys,
  approvalId: null,
  elevationRequestId: null,
  title: TITLE,
  expiresAt: new Date(Date.now() + LIFETIME_MS),
});

@Injectable()
export class DeliveriesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly subscriptions: PushSubscriptionsRepository,
    private readonly sender: SendPush,
    private readonly rateLimiter: RateLimiter,
  ) {}

  /**
   * POST /push-subscriptions/:id/test: sends one push outside any transaction, and notes what became of it. A
   * subscription whose endpoint is gone ends, as by any other push.
   */
  async testPushSubscription(caller: UserCaller, id: string): Promise<PushSubscriptionResponse> {
    const known = await this.work.recalled<PushSubscriptionResponse>(caller, caller.idempotency);
    if (known) return known.result;
    const subscription = await this.find(caller, id);
    await this.rateLimiter.require('pushTest', caller.userId);
    const { failure } = await this.sender.attempt(testOf(subscription));
    return this.work.once(caller, caller.idempotency, async (tx) => {
      await this.subscriptions.asOwner(tx, caller.userId);
      const noted = await (failure === 'gone'
        ? this.end(tx, subscription)
        : this.subscriptions.note(tx, subscription, failure));
      if (!noted) throw notFound();
      return { data: viewOf(noted) };
    });
  }

  /** @returns the subscription as it was at its end */
  private async end(tx: Tx, subscription: PushSubscription): Promise<PushSubscription | null> {
    const { id: subscriptionId, userId } = subscription;
    if (!(await this.subscriptions.end(tx, { subscriptionId, userId }))) return null;
    return { ...subscription, lastFailure: 'gone', lastFailureAt: new Date() };
  }

  private async find(caller: UserCaller, id: string): Promise<PushSubscription> {
    const own = await this.work.read(caller, async (reader) => {
      await this.subscriptions.asOwner(reader, caller.userId);
      return this.subscriptions.find(reader, pushOwnerOf(caller), id);
    });
    if (!own) throw notFound();
    return own;
  }
}
