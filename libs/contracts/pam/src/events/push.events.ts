import { defineEvent, Uuid, Whole } from '@gatehouse/contracts-core';

/** The number of a user's push subscriptions: approvals are written only for users whom a push can reach. */
export class PushReach {
  @Uuid() userId!: string;
  @Whole({ min: 0, max: 10_000 }) subscriptions!: number;
  @Whole({ min: 1, max: Number.MAX_SAFE_INTEGER }) version!: number;
}
export const PushReachChanged = defineEvent('approval.reach.changed.v1', PushReach);
