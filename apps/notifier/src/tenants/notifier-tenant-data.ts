import type { TenantRegistry } from '@gatehouse/tenant-data';

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
