import type { UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { pushOwnerOf } from './push-owner.ts';
import { type PushSubscriptionRecord, viewOf } from './push-subscription.dto.ts';
import { PushSubscriptionsRepository } from './push-subscriptions.repository.ts';

/** Lists the caller's own subscriptions, oldest first, then those confined to one tenant. */
@Injectable()
export class ListPushSubscriptions {
  constructor(
    private readonly work: UnitOfWork,
    private readonly subscriptions: PushSubscriptionsRepository,
  ) {}

  async execute(caller: UserCaller): Promise<PushSubscriptionRecord[]> {
    const own = await this.work.read(caller, async (reader) => {
      await this.subscriptions.asOwner(reader, caller.userId);
      return this.subscriptions.list(reader, pushOwnerOf(caller));
    });
    return own.map(viewOf);
  }
}
