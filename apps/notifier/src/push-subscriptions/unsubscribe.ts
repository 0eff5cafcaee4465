import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { announceReach } from './announce-reach.ts';
import { pushOwnerOf } from './push-owner.ts';
import { PushSubscriptionsRepository } from './push-subscriptions.repository.ts';

/** Deletes a subscription of the caller; those out of its reach are not found. */
@Injectable()
export class Unsubscribe {
  constructor(
    private readonly work: UnitOfWork,
    private readonly subscriptions: PushSubscriptionsRepository,
  ) {}

  execute(caller: UserCaller, id: string): Promise<{ success: true }> {
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
