import type { DatabaseDefinition } from '@gatehouse/database';
import { TENANT_TASK_ENTITIES, type TenantRegistry, TenantTasksSchema1700000000002 } from '@gatehouse/tenant-data';
import { PushDeliveryEntity } from './deliveries/deliveries.repository.ts';
import { PushSubscriptions1800000000301 } from './migrations/1800000000301-push-subscriptions.ts';
import { SubscriptionsOfPeople1800000000302 } from './migrations/1800000000302-subscriptions-of-people.ts';
import { WaitingDeliveries1800000000303 } from './migrations/1800000000303-waiting-deliveries.ts';
import { DeliveriesOfPartners1800000000304 } from './migrations/1800000000304-deliveries-of-partners.ts';
import { LabelsAndReceipts1800000000391 } from './migrations/1800000000391-labels-and-receipts.ts';
import { SubscriptionsOfOneTenant1800000000392 } from './migrations/1800000000392-subscriptions-of-one-tenant.ts';
import { PushesOfOutcomes1800000000401 } from './migrations/1800000000401-pushes-of-outcomes.ts';
import { SubscriptionsOfProviders1800000000512 } from './migrations/1800000000512-subscriptions-of-providers.ts';
import { PushReachEntity, PushSubscription } from './push-subscriptions/push-subscriptions.repository.ts';
import { VapidKeyEntity } from './vapid/vapid-keys.repository.ts';

export const notifierDatabase: DatabaseDefinition = {
  name: 'notifier',
  entities: [...TENANT_TASK_ENTITIES, PushSubscription, PushReachEntity, PushDeliveryEntity, VapidKeyEntity],
  migrations: [
    TenantTasksSchema1700000000002,
    PushSubscriptions1800000000301,
    SubscriptionsOfPeople1800000000302,
    WaitingDeliveries1800000000303,
    DeliveriesOfPartners1800000000304,
    LabelsAndReceipts1800000000391,
    SubscriptionsOfOneTenant1800000000392,
    PushesOfOutcomes1800000000401,
    SubscriptionsOfProviders1800000000512,
  ],
};

/**
 * The rules by which a merge or purge handles the notifier's tables. A subscription that names an organisation is
 * confined to it, and ends with it: moved to the survivor, it would get pushes that its maker was not meant to get.
 */
export const notifierTenantData: TenantRegistry = {
  service: 'notifier',
  tables: [
    { table: 'push_subscriptions', policy: 'drop' },
    { table: 'push_deliveries', policy: 'move' },
  ],
};
