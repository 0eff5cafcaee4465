import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { announceReach, nextReach } from './announce-reach.ts';
import { asOwner } from './as-owner.ts';
import { PushSubscription } from './push-subscription.entity.ts';

/** Deletes a subscription of the caller; those of other users are not found. */
@Injectable()
export class Unsubscribe {
  constructor(private readonly work: UnitOfWork) {}

  execute(caller: UserCaller, id: string): Promise<{ success: true }> {
    return this.work.run(caller, async (tx) => {
      await asOwner(tx, caller.userId);
      const version = await nextReach(tx, caller.userId);
      const { affected } = await tx.manager.delete(PushSubscription, { id, userId: caller.userId });
      if (!affected) throw new ProblemError('push_subscription_not_found', 'There is no such subscription.');
      await announceReach(tx, caller.userId, version);
      tx.audit({ action: 'push_subscription.delete', resource: { type: 'push_subscription', id } });
      return { success: true };
    });
  }
}
