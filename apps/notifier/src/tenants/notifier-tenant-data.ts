import type { TenantRegistry } from '@gatehouse/tenant-data';

/**
 * What a merge or purge of an organisation does with the notifier's tables. Subscriptions are people's: their tenant
 * columns are empty,
 * and can be dropped by the release after the one that no longer asks for them here.
 */
export const notifierTenantData: TenantRegistry = {
  service: 'notifier',
  tables: [
    { table: 'push_subscriptions', policy: 'keep' },
    { table: 'push_deliveries', policy: 'move' },
  ],
};
