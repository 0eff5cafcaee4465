import type { TenantRegistry } from '@gatehouse/tenant-data';

/**
 * The rules by which a merge or purge handles the notifier's tables. Subscriptions belong to users: their tenant
 * columns are empty and can be dropped by the release after the one that no longer lists them here.
 */
export const notifierTenantData: TenantRegistry = {
  service: 'notifier',
  tables: [
    { table: 'push_subscriptions', policy: 'keep' },
    { table: 'push_deliveries', policy: 'move' },
  ],
};
