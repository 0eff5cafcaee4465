import type { DatabaseDefinition } from '@gatehouse/database';
import { PushSubscriptions1800000000301 } from './migrations/1800000000301-push-subscriptions.ts';
import { PushSubscription } from './push-subscriptions/push-subscription.entity.ts';

export const notifierDatabase: DatabaseDefinition = { name: 'notifier', entities: [PushSubscription], migrations: [PushSubscriptions1800000000301] };
