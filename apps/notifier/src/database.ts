import type { DatabaseDefinition } from '@gatehouse/database';
import { TenantTasksSchema1700000000002 } from '@gatehouse/tenant-data';
import { DeliveriesOfPartners1800000000304 } from './migrations/1800000000304-deliveries-of-partners.ts';
import { SubscriptionsOfPeople1800000000302 } from './migrations/1800000000302-subscriptions-of-people.ts';
import { PushSubscriptions1800000000301 } from './migrations/1800000000301-push-subscriptions.ts';
import { WaitingDeliveries1800000000303 } from './migrations/1800000000303-waiting-deliveries.ts';
import { PushSubscription } from './push-subscriptions/push-subscription.entity.ts';

export const notifierDatabase: DatabaseDefinition = {
  name: 'notifier',
  entities: [PushSubscription],
  migrations: [
    TenantTasksSchema1700000000002,
    PushSubscriptions1800000000301,
    SubscriptionsOfPeople1800000000302,
    WaitingDeliveries1800000000303,
    DeliveriesOfPartners1800000000304,
  ],
};
