import { type DatabaseDefinition, ProviderEnds1800000007100 } from '@gatehouse/database';
import { TENANT_TASK_ENTITIES, TenantTasksSchema1700000000002 } from '@gatehouse/tenant-data';
import { PushDeliveryEntity } from './deliveries/deliveries.repository.ts';
import { Baseline1800000004530 } from './migrations/baseline.ts';
import { PushReachEntity, PushSubscription } from './push-subscriptions/push-subscriptions.repository.ts';
import { VapidKeyEntity } from './vapid/vapid-keys.repository.ts';

export const notifierDatabase: DatabaseDefinition = {
  name: 'notifier',
  entities: [...TENANT_TASK_ENTITIES, PushSubscription, PushReachEntity, PushDeliveryEntity, VapidKeyEntity],
  migrations: [TenantTasksSchema1700000000002, Baseline1800000004530, ProviderEnds1800000007100],
};
