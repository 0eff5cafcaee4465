import { type EventEnvelope, invalid, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import {
  SsoProviderChanged,
  type SsoProviderState,
  TechnicianChanged,
  type TechnicianState,
} from '@gatehouse/contracts-identity';
import { KeyRing, newId, randomToken } from '@gatehouse/crypto';
import { noteProviderEnd, requireLiveProvider, shownOnce, type Tx, UnitOfWork } from '@gatehouse/database';
import { Egress, EgressError } from '@gatehouse/egress';
import { Consumes } from '@gatehouse/messaging';
import { Injectable } from '@nestjs/common';
import {
  announceReach,
  EVERYWHERE,
  keysContext,
  pushOwnerOf,
  PushSubscription,
  PushSubscriptionsRepository,
} from './push-subscriptions.repository.ts';
import {
  type CreatedPushSubscriptionRecord,
  type CreatePushSubscriptionDto,
  type PushSubscriptionRecord,
  viewOf,
} from './push-subscription.dto.ts';

const MAX_PER_PERSON = 20;

@Injectable()
export class PushSubscriptionsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly subscriptions: PushSubscriptionsRepository,
    private readonly egress: Egress,
    private readonly keys: KeyRing,
  ) {}

  /** Lists the caller's own subscriptions, oldest first, then those confined to one tenant. */
  async list(caller: UserCaller): Promise<PushSubscriptionRecord[]> {
    const own = await this.work.read(caller, async (reader) => {
      await this.subscriptions.asOwner(reader, caller.userId);
      return this.subscriptions.list(reader, pushOwnerOf(caller));
    });
    return own.map(viewOf);
  }

  /** Adds a browser or webhook of the caller; subscribing the same endpoint again replaces its keys. */
  async subscribe(caller: UserCaller, request: CreatePushSubscriptionDto): Promise<CreatedPushSubscriptionRecord> {
    if (request.kind === 'webpush' && !request.keys) throw invalid('keys', 'are required for webpush');
    const secret = request.kind === 'webhook' ? randomToken() : undefined;
    const repetition = secret ? shownOnce<CreatedPushSubscriptionRecord>(({ id }) => id) : undefined;
    const { idempotency } = caller;
    const known = await this.work.recalled(caller, idempotency, repetition);
    if (known) return known.result;
    await this.requireReachable(request.endpoint);
    return this.work.once(caller, idempotency, (tx) => this.subscribeIn(tx, caller, request, secret), repetition);
  }

  private async subscribeIn(
    tx: Tx,
    caller: UserCaller,
    request: CreatePushSubscriptionDto,
    secret: string | undefined,
  ): Promise<CreatedPushSubscriptionRecord> {
    await requireLiveProvider(tx, caller);
    await this.subscriptions.asOwner(tx, caller.userId);
    const version = await this.subscriptions.nextReach(tx, caller.userId);
    const subscription = await this.replace(tx, caller, request, secret);
    announceReach(tx, caller.userId, { subscriptions: await this.subscriptions.count(tx, caller.userId), version });
    tx.audit({
      action: 'push_subscription.create',
      resource: { type: 'push_subscription', id: subscription.id },
      details: { kind: subscription.kind, host: new URL(subscription.endpoint).host },
    });
    return { ...viewOf(subscription), ...(secret && { secret }) };
  }

  private async requireReachable(endpoint: string): Promise<void> {
    try {
      await this.egress.vet(endpoint);
    } catch (error) {
      // All causes have the same answer: a separate one for private names would let callers map the internal network.
      if (error instanceof EgressError)
        throw invalid('endpoint', 'must be an https address whose name is public and can be resolved');
      throw error;
    }
  }

  private async replace(
    tx: Tx,
    caller: UserCaller,
    { kind, endpoint, keys, label = null }: CreatePushSubscriptionDto,
    secret: string | undefined,
  ): Promise<PushSubscription> {
    const owner = pushOwnerOf(caller);
    await this.subscriptions.delete(tx, owner, { endpoint });
    if ((await this.subscriptions.countBeside(tx, owner)) >= MAX_PER_PERSON)
      throw invalid('endpoint', `a person has at most ${MAX_PER_PERSON} subscriptions`);
    const id = newId();
    const sealedKeys = this.keys.seal(JSON.stringify(secret ? { secret } : keys), keysContext(id));
    const own = { id, userId: owner.userId, ...(owner.place ?? EVERYWHERE), kind, endpoint, sealedKeys, label };
    const root = { providerId: caller.providerId, providerVersion: 0, suspended: false };
    const fresh = { ...root, lastDeliveredAt: null, lastFailureAt: null, lastFailure: null };
    const subscription = tx.manager.create(PushSubscription, { ...own, ...fresh });
    await this.subscriptions.insert(tx, subscription);
    return subscription;
  }

  /** What a provider's session subscribed rests while the provider is off, and ends with it or the user's link. */
  @Consumes(SsoProviderChanged)
  async followProvider(tx: Tx, { data }: EventEnvelope<SsoProviderState>): Promise<void> {
    const { providerId, status, deleted, version = 0, allUnlinked, unlinkedUserId } = data;
    await noteProviderEnd(tx, data);
    for (const subscription of await this.subscriptions.allOf(tx, { providerId })) {
      const { id: subscriptionId, userId } = subscription;
      const reason = deleted ? 'the identity provider was deleted' : 'the link at the identity provider ended';
      if (deleted || allUnlinked || unlinkedUserId === userId)
        await this.subscriptions.end(tx, { subscriptionId, userId }, reason);
      else await this.subscriptions.suspend(tx, subscription, status !== 'active', version);
    }
  }

  @Consumes(TechnicianChanged)
  async followUser(tx: Tx, { data: { userId, deleted } }: EventEnvelope<TechnicianState>): Promise<void> {
    if (!deleted) return;
    for (const { id: subscriptionId } of await this.subscriptions.allOf(tx, { userId }))
      await this.subscriptions.end(tx, { subscriptionId, userId }, 'the user was deleted');
  }

  /** Deletes a subscription of the caller; those out of its reach are not found. */
  unsubscribe(caller: UserCaller, id: string): Promise<{ success: true }> {
    return this.work.run(caller, async (tx) => {
      await this.subscriptions.asOwner(tx, caller.userId);
      const version = await this.subscriptions.nextReach(tx, caller.userId);
      if (!(await this.subscriptions.delete(tx, pushOwnerOf(caller), { id })))
        throw new ProblemError('push_subscription_not_found', 'There is no such subscription.');
      announceReach(tx, caller.userId, { subscriptions: await this.subscriptions.count(tx, caller.userId), version });
      tx.audit({ action: 'push_subscription.delete', resource: { type: 'push_subscription', id } });
      return { success: true };
    });
  }
}
